import { type EngineError, invalid } from '../errors.ts';
import type { AttributeValue } from '../values/attribute-value.ts';

/** The names and values that the expressions of one request refer to; it notes which of them are used. */
export class Bindings {
  readonly #names: Record<string, string>;
  readonly #values: Record<string, AttributeValue>;
  readonly #used = new Set<string>();

  /**
   * @param names - attribute names by their `#alias`.
   * @param values - values by their `:name`.
   * @throws ValidationException when one of the two is empty, or has a key or a name that is not allowed.
   */
  constructor(names: Record<string, string> | undefined, values: Record<string, AttributeValue> | undefined) {
    if (names !== undefined) checkNames(names);
    if (values !== undefined) checkValueKeys(values);
    this.#names = names ?? {};
    this.#values = values ?? {};
  }

  /** The attribute name of a `#alias`; undefined when the request has none. */
  name(alias: string): string | undefined {
    this.#used.add(alias);
    return Object.hasOwn(this.#names, alias) ? this.#names[alias] : undefined;
  }

  /** The value of a `:name`; undefined when the request has none. */
  value(name: string): AttributeValue | undefined {
    this.#used.add(name);
    return Object.hasOwn(this.#values, name) ? this.#values[name] : undefined;
  }

  /** @throws ValidationException when no expression refers to a name or a value. */
  requireAllUsed(): void {
    this.#requireUsed('ExpressionAttributeNames', this.#names);
    this.#requireUsed('ExpressionAttributeValues', this.#values);
  }

  #requireUsed(parameter: string, bindings: Readonly<Record<string, unknown>>): void {
    const unused = Object.keys(bindings).filter((key) => !this.#used.has(key));
    if (unused.length > 0) {
      throw invalid(`Value provided in ${parameter} unused in expressions: keys: {${unused.join(', ')}}`);
    }
  }
}

const largestKeyBytes = 255;
const largestNameBytes = 65_535;

function checkNames(names: Readonly<Record<string, string>>): void {
  const parameter = 'ExpressionAttributeNames';
  checkKeys(parameter, names, /^#[A-Za-z0-9_]+$/);
  for (const [key, name] of Object.entries(names)) {
    if (name === '') throw invalid(`${parameter} contains invalid value: Empty attribute name for key ${key}`);
    if (Buffer.byteLength(name) > largestNameBytes) {
      throw invalid(
        `${parameter} contains invalid value: ` +
          `Attribute name is too large, must be less than ${largestNameBytes + 1} bytes for key ${key}`,
      );
    }
  }
}

/**
 * Checks the keys of ExpressionAttributeValues; DynamoDB does this before it looks at the values.
 *
 * @throws ValidationException when there are none, or one that is no `:name`.
 */
export function checkValueKeys(values: Readonly<Record<string, unknown>>): void {
  checkKeys('ExpressionAttributeValues', values, /^:[A-Za-z0-9_]+$/);
}

function checkKeys(parameter: string, bindings: Readonly<Record<string, unknown>>, syntax: RegExp): void {
  const keys = Object.keys(bindings);
  if (keys.length === 0) throw invalid(`${parameter} must not be empty`);
  for (const key of keys) {
    if (key === '') throw invalidKey(parameter, 'The expression attribute map contains an empty key;');
    const size = Buffer.byteLength(key);
    if (size > largestKeyBytes) {
      throw invalidKey(parameter, `The expression attribute map contains a key that is too long; size of key: ${size}`);
    }
    if (!syntax.test(key)) throw invalidKey(parameter, `Syntax error; key: "${key}"`);
  }
}

const invalidKey = (parameter: string, reason: string): EngineError =>
  invalid(`${parameter} contains invalid key: ${reason}`);
