import { type EngineError, validationError } from '../errors.ts';
import { type AttributeValue, type Item, typeOf } from '../values/attribute-value.ts';
import { addNumbers, subtractNumbers } from '../values/number.ts';
import { bindPath, bindValue } from './bind.ts';
import type { Bindings } from './bindings.ts';
import { type Refuse, requireDistinct, requirePath, wrongCountError, wrongTypeError } from './operands.ts';
import { tooManyOperators } from './parse-operand.ts';
import { type Path, readPath } from './path.ts';
import type { AssignedNode, CallNode, OperandNode } from './syntax.ts';
import { invalidExpressionError } from './token-reader.ts';
import { wrongOperandError } from './update-values.ts';

/** Evaluates an operand of an update. */
export type ReadOperand = (item: Item) => AttributeValue;

interface Operand {
  readonly read: ReadOperand;
  readonly path?: Path;
  readonly constant?: AttributeValue;
}

const kind = 'UpdateExpression';
const maxOperators = 300;
const refuse: Refuse = (message) => invalidExpressionError(kind, message);

/** Resolves the names and values in the SET clause of an update, and checks their types. */
export class AssignedBinder {
  /** The paths in all assigned values so far. */
  readonly paths: Path[] = [];
  readonly #bindings: Bindings;
  #operators = 0;

  constructor(bindings: Bindings) {
    this.#bindings = bindings;
  }

  /**
   * Binds an assigned value.
   *
   * @throws ValidationException for an undefined name or value, and for operands of wrong types. The returned function
   *   throws it if the item lacks an attribute or has one of the wrong type.
   */
  bind(node: AssignedNode): ReadOperand {
    if (node.type !== 'arithmetic') return this.#bindOperand(node).read;
    const { operator } = node;
    const [left, right] = node.operands.map((operand) => this.#bindOperand(operand)) as [Operand, Operand];
    this.#requireType(operator, 'N', [left, right]);
    this.#count();
    const calculate = operator === '+' ? addNumbers : subtractNumbers;
    return (item) => {
      const one = left.read(item);
      if (!('N' in one)) throw wrongOperandError();
      const other = right.read(item);
      if (!('N' in other)) throw wrongOperandError();
      return { N: calculate(one.N, other.N) };
    };
  }

  #bindOperand(node: OperandNode): Operand {
    if (node.type === 'value') {
      const constant = bindValue(kind, node, this.#bindings);
      return { read: () => constant, constant };
    }
    if (node.type === 'call') return this.#bindCall(node);
    const path = bindPath(kind, node, this.#bindings);
    this.paths.push(path);
    return { read: (item) => readPath(item, path) ?? fail(missingAttribute()), path };
  }

  #bindCall({ name, operands }: CallNode): Operand {
    const bound = operands.map((operand) => this.#bindOperand(operand));
    const [first, second] = bound;
    if (first === undefined || second === undefined || bound.length !== 2) {
      throw wrongCountError(name, bound.length, refuse);
    }
    this.#count();
    return name === 'list_append' ? this.#bindListAppend(first, second) : bindIfNotExists(first, second);
  }

  #bindListAppend(first: Operand, second: Operand): Operand {
    this.#requireType('list_append', 'L', [first, second]);
    const read = (item: Item) => {
      const one = first.read(item);
      if (!('L' in one)) throw wrongOperandError();
      const other = second.read(item);
      if (!('L' in other)) throw wrongOperandError();
      return { L: [...one.L, ...other.L] };
    };
    return { read };
  }

  #requireType(operator: string, allowed: string, operands: readonly Operand[]): void {
    for (const { constant } of operands) {
      if (constant === undefined || typeOf(constant) === allowed) continue;
      throw wrongTypeError(operator, typeOf(constant), refuse);
    }
  }

  #count(): void {
    this.#operators += 1;
    if (this.#operators > maxOperators) throw refuse(tooManyOperators);
  }
}

function bindIfNotExists(attribute: Operand, fallback: Operand): Operand {
  const path = requirePath('if_not_exists', attribute, refuse);
  requireDistinct('if_not_exists', [attribute, fallback], refuse);
  const read = (item: Item) => {
    // DynamoDB evaluates the other operand in any case, so it must exist.
    const other = fallback.read(item);
    return readPath(item, path) ?? other;
  };
  return { read };
}

const missingAttribute = () =>
  validationError('The provided expression refers to an attribute that does not exist in the item');

function fail(error: EngineError): never {
  throw error;
}
