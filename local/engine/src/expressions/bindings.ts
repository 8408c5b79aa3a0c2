import { type EngineError, validationError } from '../errors.ts';
import type { AttributeValue } from '../values/attribute-value.ts';

/** The names and values for the expressions of one request; tracks which of them are used. */
export class Bindings {
  readonly #names: Record<string, string>;
  readonly #values: Record<string, AttributeValue>;
  readonly #used = new Set<string>();

  /**
   * @param names - attribute names by their `#alias`.
   * @param values - values by their `:name`.
   * @throws ValidationException if one of the two is empty, or has an invalid key or name.
   */
  constructor(names: Record<string, string> | undefined, values: Record<string, AttributeValue> | undefined) {
    if (names !== undefined) checkNames(names);
    if (values !== undefined) checkValueKeys(values);
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

const maxKeyBytes = 255;
const maxNameBytes = 65_535;

const nameKey = /^#[A-Za-z0-9_]+$/;
const valueKey = /^:[A-Za-z0-9_]+$/;

/** A character takes at most three bytes; to count them takes longer than the other checks. */
const isLonger = (text: string, maxBytes: number) => text.length * 3 > maxBytes && Buffer.byteLength(text) > maxBytes;

function checkNames(names: Readonly<Record<string, string>>): void {
  const parameter = 'ExpressionAttributeNames';
  checkKeys(parameter, names, nameKey);
  for (const [key, name] of Object.entries(names)) {
    if (name === '') throw validationError(`${parameter} contains invalid value: Empty attribute name for key ${key}`);
    if (isLonger(name, maxNameBytes)) {
      throw validationError(
        `${parameter} contains invalid value: ` +
          `Attribute name is too large, must be less than ${maxNameBytes + 1} bytes for key ${key}`,
      );
    }
  }
}

/**
 * Checks the keys of ExpressionAttributeValues; DynamoDB does this before it checks the values.
 *
 * @throws ValidationException if there are none, or for one that is not a `:name`.
 */
export function checkValueKeys(values: Readonly<Record<string, unknown>>): void {
  checkKeys('ExpressionAttributeValues', values, valueKey);
}

function checkKeys(parameter: string, bindings: Readonly<Record<string, unknown>>, syntax: RegExp): void {
  const keys = Object.keys(bindings);
  if (keys.length === 0) throw validationError(`${parameter} must not be empty`);
  for (const key of keys) {
    if (key === '') throw invalidKey(parameter, 'The expression attribute map contains an empty key;');
    if (isLonger(key, maxKeyBytes)) {
      const size = Buffer.byteLength(key);
      throw invalidKey(parameter, `The expression attribute map contains a key that is too long; size of key: ${size}`);
    }
    if (!syntax.test(key)) throw invalidKey(parameter, `Syntax error; key: "${key}"`);
  }
}

const invalidKey = (parameter: string, reason: string): EngineError =>
  validationError(`${parameter} contains invalid key: ${reason}`);
