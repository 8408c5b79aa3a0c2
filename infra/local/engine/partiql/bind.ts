import { type EngineError, invalid } from '../errors.ts';
import { equalPaths, type Path, printPath, readPath } from '../expressions/path.ts';
import { type AttributeValue, type Item, typeOf } from '../values/attribute-value.ts';
import { printPlace, type Span } from './errors.ts';
import { type Notes, valueOf } from './literals.ts';
import type { Node, Statement } from './syntax.ts';

/** An operand of an operator or a function. */
export interface Operand {
  readonly read: (item: Item) => AttributeValue | undefined;
  /** Its type, when that does not depend on the item. */
  readonly type?: string;
  readonly path?: Path;
  readonly constant?: AttributeValue;
}

/** Gives the nodes of a statement the parameters of a request. */
export class Binding {
  /** The paths that were met. */
  readonly paths: Path[] = [];
  readonly #text: string;
  readonly #parameters: readonly AttributeValue[];
  readonly #notes: Notes = {
    note: (message, place) => {
      throw this.refuse(message, place);
    },
  };

  /** @throws ValidationException when the request has more or fewer parameters. */
  constructor({ text, parameters }: Statement, given: readonly AttributeValue[] = []) {
    if (given.length !== parameters) {
      throw invalid("Number of parameters in request and statement don't match.");
    }
    this.#text = text;
    this.#parameters = given;
  }

  /** The value of a parameter. */
  parameter(index: number): AttributeValue {
    return this.#parameters[index] as AttributeValue;
  }

  /** The value of a literal or a parameter; undefined for other nodes. */
  constant(node: Node): AttributeValue | undefined {
    switch (node.type) {
      case 'parameter':
        return this.parameter(node.index);
      case 'literal':
      case 'number':
      case 'list':
      case 'bag':
      case 'struct':
      case 'ion':
        return valueOf(node, this.#notes);
      default:
        return undefined;
    }
  }

  /**
   * Binds a literal, a parameter or a path; undefined for other nodes.
   *
   * @throws ValidationException when it cannot be an operand.
   */
  operand(node: Node): Operand | undefined {
    if (node.type === 'path') {
      const { path } = node;
      this.paths.push(path);
      return { read: (item) => readPath(item, path), path };
    }
    if (node.type === 'missing') throw this.refuse('MISSING must be compared using IS operator');
    if (node.type === 'select') throw this.refuse('Unsupported token in expression: SELECT', node);
    if (node.type === 'star') throw this.refuse('Unexpected path component', node);
    const constant = this.constant(node);
    return constant === undefined ? undefined : { read: () => constant, type: typeOf(constant), constant };
  }

  /** @throws ValidationException when one of the operands has another type for certain. */
  requireTypes(operator: string, allowed: ReadonlySet<string>, operands: readonly Operand[]): void {
    const wrong = operands.find(({ type }) => type !== undefined && !allowed.has(type))?.type;
    if (wrong !== undefined) throw wrongType(operator, wrong);
  }

  /** @throws ValidationException when the first operand is among the others. */
  requireDistinct(operator: string, [first, ...others]: readonly Operand[]): void {
    const path = first?.path;
    if (path === undefined || !others.some((other) => other.path !== undefined && equalPaths(path, other.path))) return;
    throw invalid(
      'The first operand must be distinct from the remaining operands for this operator or function; ' +
        `operator: ${operator}, first operand: ${printPath(path)}`,
    );
  }

  /** The error of a statement, with the place that it is about. */
  refuse(message: string, place?: Span): EngineError {
    return invalid(place === undefined ? message : `${message} at ${printPlace(this.#text, place)}`);
  }
}

/** The error of an operand that has the wrong type. */
export function wrongType(operator: string, type: string): EngineError {
  return invalid(
    `Incorrect operand type for operator or function; operator or function: ${operator}, operand type: ${type}`,
  );
}

/** The error of a function with too many operands or too few. */
export function wrongCount(operator: string, count: number): EngineError {
  return invalid(
    'Incorrect number of operands for operator or function; ' +
      `operator or function: ${operator}, number of operands: ${count}`,
  );
}
