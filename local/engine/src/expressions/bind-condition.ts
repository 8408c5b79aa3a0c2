import { typeOf } from '../values/attribute-value.ts';
import { bindPath, bindValue } from './bind.ts';
import type { Bindings } from './bindings.ts';
import { type Operand, type Refuse, wrongCountError } from './operands.ts';
import {
  bindAttributeType,
  bindBetween,
  bindComparison,
  bindIn,
  bindPart,
  bindPresence,
  bindSize,
  type Test,
} from './operators.ts';
import { tooManyOperators } from './parse-operand.ts';
import { type Path, readPath } from './path.ts';
import type { CallNode, ConditionNode, ExpressionKind, OperandNode } from './syntax.ts';
import { invalidExpressionError } from './token-reader.ts';

const maxOperators = 300;

/** Resolves the names and values in the conditions of one request, and checks their types. */
export class ConditionBinder {
  /** The paths in all conditions so far. */
  readonly paths: Path[] = [];
  readonly #kind: ExpressionKind;
  readonly #bindings: Bindings;
  readonly #refuse: Refuse;
  #operators = 0;

  constructor(kind: ExpressionKind, bindings: Bindings) {
    this.#kind = kind;
    this.#bindings = bindings;
    this.#refuse = (message) => invalidExpressionError(kind, message);
  }

  /**
   * Binds a condition.
   *
   * @throws ValidationException for an undefined name or value, and for operands of wrong types.
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
        return this.#count(this.#bindOperator(node));
    }
  }

  #count<T>(result: T): T {
    this.#operators += 1;
    if (this.#operators > maxOperators) throw this.#refuse(tooManyOperators);
    return result;
  }

  #bindOperand(node: OperandNode): Operand {
    if (node.type === 'value') {
      const constant = bindValue(this.#kind, node, this.#bindings);
      return { read: () => constant, type: typeOf(constant), constant };
    }
    if (node.type === 'call') return this.#count(bindSize(this.#bindOperands(node, 1)[0], this.#refuse));
    const path = bindPath(this.#kind, node, this.#bindings);
    this.paths.push(path);
    return { read: (item) => readPath(item, path), path };
  }

  #bindOperator(node: Exclude<ConditionNode, CallNode> & { readonly operands: readonly OperandNode[] }): Test {
    const operands = node.operands.map((operand) => this.#bindOperand(operand));
    const [first, ...others] = operands as [Operand, ...Operand[]];
    switch (node.type) {
      case 'comparison':
        return bindComparison(node.operator, operands as [Operand, Operand], this.#refuse);
      case 'BETWEEN':
        return bindBetween(operands as [Operand, Operand, Operand], this.#refuse);
      default:
        return bindIn(first, others, this.#refuse);
    }
  }

  #bindCall(node: CallNode): Test {
    switch (node.name) {
      case 'attribute_exists':
      case 'attribute_not_exists':
        return bindPresence(node.name, this.#bindOperands(node, 1)[0], this.#refuse);
      case 'attribute_type':
        return bindAttributeType(this.#bindOperands(node, 2), this.#refuse);
      default:
        return bindPart(
          node.name === 'begins_with' ? node.name : 'contains',
          this.#bindOperands(node, 2),
          this.#refuse,
        );
    }
  }

  #bindOperands({ name, operands }: CallNode, count: number): readonly [Operand, Operand] {
    const bound = operands.map((operand) => this.#bindOperand(operand));
    if (bound.length !== count) throw wrongCountError(name, bound.length, this.#refuse);
    return bound as unknown as readonly [Operand, Operand];
  }
}
