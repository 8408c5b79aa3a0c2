import { type EngineError, validationError } from '../errors.ts';
import type { Operand } from '../expressions/operands.ts';
import { type Path, readPath } from '../expressions/path.ts';
import { type AttributeValue, typeOf } from '../values/attribute-value.ts';
import { printPlace, type Span } from './errors.ts';
import { type Notes, valueOf } from './literals.ts';
import type { Node, Statement } from './syntax.ts';

/** Binds the nodes of a statement to the parameters of a request. */
export class Binding implements Notes {
  /** The paths in the statement so far. */
  readonly paths: Path[] = [];
  readonly #text: string;
  readonly #parameters: readonly AttributeValue[];

  /** @throws ValidationException if the request has more or fewer parameters. */
  constructor({ text, parameters }: Statement, given: readonly AttributeValue[] = []) {
    if (given.length !== parameters) {
      throw validationError("Number of parameters in request and statement don't match.");
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
        return valueOf(node, this);
      default:
        return undefined;
    }
  }

  /**
   * Binds a literal, a parameter or a path; undefined for other nodes.
   *
   * @throws ValidationException if it cannot be an operand.
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

  /** Refuses a literal. */
  note(message: string, place?: Span): never {
    throw this.refuse(message, place);
  }

  /** The error of a statement, with the position that it refers to. */
  refuse(message: string, place?: Span): EngineError {
    return validationError(place === undefined ? message : `${message} at ${printPlace(this.#text, place)}`);
  }
}
