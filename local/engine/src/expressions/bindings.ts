import { validationError } from '../errors.ts';
import type { AttributeValue } from '../values/attribute-value.ts';

/** The names and values for the expressions of one request; tracks which of them are used. */
export class Bindings {
  readonly #names: Record<string, string>;
  readonly #values: Record<string, AttributeValue>;
  readonly #used = new Set<string>();

  /**
   * @param names - attribute names by their `#alias`.
   * @param values - values by their `:name`.
   */
  constructor(names: Record<string, string> | undefined, values: Record<string, AttributeValue> | undefined) {
    this.#names = names ?? {};
    this.#values = values ?? {};
  }

  /** The attribute name of a `#alias`; undefined if the request defines none. */
  name(alias: string): string | undefined {
    this.#used.add(alias);
    return Object.hasOwn(this.#names, alias) ? this.#names[alias] : undefined;
  }

  /** The value of a `:name`; undefined if the request defines none. */
  value(name: string): AttributeValue | undefined {
    this.#used.add(name);
    return Object.hasOwn(this.#values, name) ? this.#values[name] : undefined;
  }

  /** @throws ValidationException if a name or a value is unused. */
  requireAllUsed(): void {
    this.#requireUsed('ExpressionAttributeNames', this.#names);
    this.#requireUsed('ExpressionAttributeValues', this.#values);
  }

  #requireUsed(parameter: string, bindings: Readonly<Record<string, unknown>>): void {
    const unused = Object.keys(bindings).filter((key) => !this.#used.has(key));
    if (unused.length > 0) {
      throw validationError(`Value provided in ${parameter} unused in expressions: keys: {${unused.join(', ')}}`);
    }
  }
}
