import { type AttributeValue, type Item, typeOf } from '../values/attribute-value.ts';
import { compareValues } from '../values/compare.ts';
import { bindPath, bindValue } from './bind.ts';
import type { Bindings } from './bindings.ts';
import { tooManyOperators } from './parse-operand.ts';
import { equalPaths, type Path, printPath, readPath } from './path.ts';
import type { CallNode, ConditionNode, ExpressionKind, OperandNode } from './syntax.ts';
import { invalidExpression } from './token-reader.ts';
import { beginsWith, contains, holds, sizeOf } from './value-tests.ts';

/** Tells whether a condition holds for an item. */
export type Test = (item: Item) => boolean;

/** An operand with its names and values. */
interface Operand {
  readonly read: (item: Item) => AttributeValue | undefined;
  /** Its type, when that does not depend on the item. */
  readonly type?: string;
  readonly path?: Path;
  readonly constant?: AttributeValue;
}

const mostOperators = 300;
const mostMembers = 100;
const ordered: ReadonlySet<string> = new Set(['S', 'N', 'B']);
const texts: ReadonlySet<string> = new Set(['S', 'B']);
const sized: ReadonlySet<string> = new Set(['S', 'B', 'SS', 'NS', 'BS', 'L', 'M']);
const types = ['B', 'NULL', 'SS', 'BOOL', 'L', 'BS', 'N', 'NS', 'S', 'M'];

/** Gives conditions of one request the names and values that they refer to, and checks that those fit. */
export class ConditionBinder {
  /** The paths that were met. */
  readonly paths: Path[] = [];
  readonly #kind: ExpressionKind;
  readonly #bindings: Bindings;
  #operators = 0;

  constructor(kind: ExpressionKind, bindings: Bindings) {
    this.#kind = kind;
    this.#bindings = bindings;
  }

  /**
   * Binds a condition.
   *
   * @throws ValidationException for a name or value that is missing, and for operands that do not fit.
   */
  bind(node: ConditionNode): Test {
    switch (node.type) {
      case 'AND': {
        const [left, right] = [this.bind(node.left), this.bind(node.right)];
        return this.#count((item) => left(item) && right(item));
      }
      case 'OR': {
        const [left, right] = [this.bind(node.left), this.bind(node.right)];
        return this.#count((item) => left(item) || right(item));
      }
      case 'NOT': {
        const inner = this.bind(node.inner);
        return this.#count((item) => !inner(item));
      }
      case 'call':
        return this.#count(this.#bindCall(node));
      default:
        return this.#count(
          this.#bindOperator(
            node,
            node.operands.map((operand) => this.#bindOperand(operand)),
          ),
        );
    }
  }

  #count<T>(result: T): T {
    this.#operators += 1;
    if (this.#operators > mostOperators) throw this.#refuse(tooManyOperators);
    return result;
  }

  #bindOperand(node: OperandNode): Operand {
    if (node.type === 'value') {
      const constant = bindValue(this.#kind, node, this.#bindings);
      return { read: () => constant, type: typeOf(constant), constant };
    }
    if (node.type === 'call') return this.#count(this.#bindSize(node));
    const path = bindPath(this.#kind, node, this.#bindings);
    this.paths.push(path);
    return { read: (item) => readPath(item, path), path };
  }

  #bindSize(node: CallNode): Operand {
    const [operand] = this.#bindOperands(node, 1);
    this.#requireTypes('size', sized, [operand]);
    const read = (item: Item) => {
      const value = operand.read(item);
      const size = value === undefined ? undefined : sizeOf(value);
      return size === undefined ? undefined : { N: String(size) };
    };
    return { read, type: 'N' };
  }

  #bindOperator(node: ConditionNode & { operands: readonly OperandNode[] }, operands: readonly Operand[]): Test {
    const [first, second, third] = operands as readonly [Operand, Operand, Operand];
    switch (node.type) {
      case 'comparison': {
        const { operator } = node;
        if (operator !== '=' && operator !== '<>') this.#requireTypes(operator, ordered, operands);
        this.#requireDistinct(operator, operands);
        return (item) => holds(operator, first.read(item), second.read(item));
      }
      case 'BETWEEN':
        this.#requireTypes('BETWEEN', ordered, operands);
        this.#requireDistinct('BETWEEN', operands);
        this.#requireBounds(second.constant, third.constant);
        return (item) => {
          const value = first.read(item);
          return holds('>=', value, second.read(item)) && holds('<=', value, third.read(item));
        };
      default: {
        const members = operands.slice(1);
        if (members.length > mostMembers) {
          throw this.#refuse(
            `The IN operator is provided with too many operands; number of operands: ${members.length}`,
          );
        }
        this.#requireDistinct('IN', operands);
        return (item) => {
          const value = first.read(item);
          return members.some((member) => holds('=', value, member.read(item)));
        };
      }
    }
  }

  #bindCall(node: CallNode): Test {
    switch (node.name) {
      case 'attribute_exists':
      case 'attribute_not_exists': {
        const [operand] = this.#bindOperands(node, 1);
        if (operand.path === undefined) {
          throw this.#refuse(`Operator or function requires a document path; operator or function: ${node.name}`);
        }
        const exists = node.name === 'attribute_exists';
        return (item) => (operand.read(item) !== undefined) === exists;
      }
      case 'attribute_type':
        return this.#bindAttributeType(node);
      default: {
        const [value, part] = this.#bindOperands(node, 2);
        if (node.name === 'begins_with') this.#requireTypes(node.name, texts, [value, part]);
        this.#requireDistinct(node.name, [value, part]);
        const test = node.name === 'begins_with' ? beginsWith : contains;
        return (item) => {
          const [whole, wanted] = [value.read(item), part.read(item)];
          return whole !== undefined && wanted !== undefined && test(whole, wanted);
        };
      }
    }
  }

  #bindAttributeType(node: CallNode): Test {
    const [value, type] = this.#bindOperands(node, 2);
    this.#requireTypes(node.name, new Set(['S']), [type]);
    this.#requireDistinct(node.name, [value, type]);
    if (type.constant === undefined || !('S' in type.constant)) {
      throw this.#wrongType(node.name, '{NS,SS,L,BS,N,M,B,BOOL,NULL,S}');
    }
    const wanted = type.constant.S;
    if (!types.includes(wanted)) {
      throw this.#refuse(`Invalid attribute type name found; type: ${wanted}, valid types: {${types.join(',')}}`);
    }
    return (item) => {
      const found = value.read(item);
      return found !== undefined && typeOf(found) === wanted;
    };
  }

  #bindOperands({ name, operands }: CallNode, count: number): readonly [Operand, Operand] {
    const bound = operands.map((operand) => this.#bindOperand(operand));
    if (bound.length !== count) {
      throw this.#refuse(
        'Incorrect number of operands for operator or function; ' +
          `operator or function: ${name}, number of operands: ${bound.length}`,
      );
    }
    return bound as unknown as readonly [Operand, Operand];
  }

  #requireTypes(operator: string, allowed: ReadonlySet<string>, operands: readonly Operand[]): void {
    const wrong = operands.find(({ type }) => type !== undefined && !allowed.has(type))?.type;
    if (wrong !== undefined) throw this.#wrongType(operator, wrong);
  }

  #wrongType(operator: string, type: string) {
    return this.#refuse(
      `Incorrect operand type for operator or function; operator or function: ${operator}, operand type: ${type}`,
    );
  }

  #requireDistinct(operator: string, [first, ...others]: readonly Operand[]): void {
    const path = first?.path;
    if (path === undefined || !others.some((other) => other.path !== undefined && equalPaths(path, other.path))) return;
    throw this.#refuse(
      'The first operand must be distinct from the remaining operands for this operator or function; ' +
        `operator: ${operator}, first operand: ${printPath(path)}`,
    );
  }

  #requireBounds(lower: AttributeValue | undefined, upper: AttributeValue | undefined): void {
    if (lower === undefined || upper === undefined) return;
    const order = compareValues(lower, upper);
    if (order !== undefined && order <= 0) return;
    const rule =
      order === undefined
        ? 'same data type for lower and upper bounds'
        : 'upper bound to be greater than or equal to lower bound';
    throw this.#refuse(
      `The BETWEEN operator requires ${rule}; lower bound operand: AttributeValue: ${printBound(lower)}, ` +
        `upper bound operand: AttributeValue: ${printBound(upper)}`,
    );
  }

  #refuse(message: string) {
    return invalidExpression(this.#kind, message);
  }
}

/** A bound as AWS shows it: of binary values, only the length. */
function printBound(value: AttributeValue): string {
  if ('S' in value) return `{S:${value.S}}`;
  if ('N' in value) return `{N:${value.N}}`;
  const length = sizeOf(value);
  return `{B:java.nio.HeapByteBuffer[pos=0 lim=${length} cap=${length}]}`;
}
