import { type EngineError, invalid } from '../errors.ts';
import { type AttributeValue, type Item, typeOf } from '../values/attribute-value.ts';
import { addNumbers, subtractNumbers } from '../values/number.ts';
import { bindPath, bindValue } from './bind.ts';
import type { Bindings } from './bindings.ts';
import { type Refuse, requireDistinct, requirePath, wrongCount, wrongType } from './operands.ts';
import { tooManyOperators } from './parse-operand.ts';
import { type Path, readPath } from './path.ts';
import type { AssignedNode, CallNode, OperandNode } from './syntax.ts';
import { invalidExpression } from './token-reader.ts';
import { wrongOperand } from './update-values.ts';

/** Reads the value of an operand of an update. */
export type ReadOperand = (item: Item) => AttributeValue;

interface Operand {
  readonly read: ReadOperand;
  readonly path?: Path;
  readonly constant?: AttributeValue;
}

const kind = 'UpdateExpression';
const mostOperators = 300;
const refuse: Refuse = (message) => invalidExpression(kind, message);

/** Gives what SET assigns in one update the names and values that it refers to, and checks that those fit. */
export class AssignedBinder {
  /** The paths that were met. */
  readonly paths: Path[] = [];
  readonly #bindings: Bindings;
  #operators = 0;

  constructor(bindings: Bindings) {
    this.#bindings = bindings;
  }

  /**
   * Binds what SET assigns.
   *
   * @throws ValidationException for a name or value that is missing, and for operands that do not fit; what it
   * returns throws one when the item lacks an attribute or has one of the wrong type.
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
      if (!('N' in one)) throw wrongOperand();
      const other = right.read(item);
      if (!('N' in other)) throw wrongOperand();
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
      throw wrongCount(name, bound.length, refuse);
    }
    this.#count();
    return name === 'list_append' ? this.#bindListAppend(first, second) : bindIfNotExists(first, second);
  }

  #bindListAppend(first: Operand, second: Operand): Operand {
    this.#requireType('list_append', 'L', [first, second]);
    const read = (item: Item) => {
      const one = first.read(item);
      if (!('L' in one)) throw wrongOperand();
      const other = second.read(item);
      if (!('L' in other)) throw wrongOperand();
      return { L: [...one.L, ...other.L] };
    };
    return { read };
  }

  #requireType(operator: string, allowed: string, operands: readonly Operand[]): void {
    for (const { constant } of operands) {
      if (constant === undefined || typeOf(constant) === allowed) continue;
      throw wrongType(operator, typeOf(constant), refuse);
    }
  }

  #count(): void {
    this.#operators += 1;
    if (this.#operators > mostOperators) throw refuse(tooManyOperators);
  }
}

function bindIfNotExists(attribute: Operand, fallback: Operand): Operand {
  const path = requirePath('if_not_exists', attribute, refuse);
  requireDistinct('if_not_exists', [attribute, fallback], refuse);
  const read = (item: Item) => {
    // DynamoDB reads the other operand in any case: it must be there.
    const other = fallback.read(item);
    return readPath(item, path) ?? other;
  };
  return { read };
}

const missingAttribute = () =>
  invalid('The provided expression refers to an attribute that does not exist in the item');

function fail(error: EngineError): never {
  throw error;
}
