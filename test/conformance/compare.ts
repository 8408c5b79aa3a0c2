import { isDeepStrictEqual } from 'node:util';

import type { Answer, Comparison, JsonValue, Step } from './types.ts';

/** Keys that Dapple adds to records (spec/dids.md 6 #2, 6 #3, spec/access.md 8 #3). */
const ADDED_KEYS = new Set(['did_type', 'type', 'open', 'monotonic', 'expired_at', 'reason']);
const COLLECTIONS = new Set<JsonValue | undefined>(['DATASET', 'CONTAINER']);

type JsonObject = { [key: string]: JsonValue };

/**
 * Compares an answer with the recorded one and returns the differences, one text each.
 *
 * A step with `differs` is held to the status and class given there. For a recorded plain-text 500 (a
 * crash of the recorded server) any proper error answer is accepted, for an HTML page of its router the
 * status is compared.
 */
export function compareAnswers(step: Step, recorded: Answer, actual: Answer): string[] {
  if (step.differs !== undefined) {
    const { status, exceptionClass } = step.differs;
    return [
      ...differ('status', status, actual.status),
      ...differ('exceptionClass', exceptionClass, actual.exceptionClass),
    ];
  }
  if (recorded.status === 500 && recorded.exceptionClass === undefined) {
    const clean = actual.status >= 400 && actual.exceptionClass !== undefined;
    return clean ? [] : [`expected an error answer, got status ${String(actual.status)}`];
  }
  const comparison = step.compare ?? 'exact';
  const findings = differ('status', recorded.status, actual.status);
  if (comparison === 'status') return findings;
  findings.push(...differ('location', recorded.location, actual.location));
  if (recorded.bodyKind === 'html') return findings;
  findings.push(...differ('exceptionClass', recorded.exceptionClass, actual.exceptionClass));
  if (comparison === 'class') return findings;
  if (recorded.exceptionMessage !== '<database text>') {
    findings.push(...differ('exceptionMessage', recorded.exceptionMessage, actual.exceptionMessage));
  }
  return [
    ...findings,
    ...differ('contentType', recorded.contentType, actual.contentType),
    ...differ('errorHeaders', recorded.errorHeaders, actual.errorHeaders),
    ...differ('rucioHeaders', recorded.rucioHeaders, actual.rucioHeaders),
    ...differ('body', recorded.body, actual.body, (expected, got) => bodiesAgree(expected, got, comparison)),
  ];
}

/** Whether two bodies agree; the elements of the outermost array may come in any order. */
function bodiesAgree(expected: JsonValue | undefined, actual: JsonValue | undefined, comparison: Comparison): boolean {
  if (expected === undefined || actual === undefined) return expected === actual;
  const agree = comparison === 'keys' ? sameKeys : valuesAgree;
  if (comparison === 'ordered' || !Array.isArray(expected)) return agree(expected, actual);
  if (!Array.isArray(actual) || actual.length !== expected.length) return false;
  const left = [...actual];
  return expected.every((element) => {
    const index = left.findIndex((candidate) => agree(element, candidate));
    if (index < 0) return false;
    left.splice(index, 1);
    return true;
  });
}

function valuesAgree(expected: JsonValue, actual: JsonValue): boolean {
  if (Array.isArray(expected)) {
    return (
      Array.isArray(actual) &&
      actual.length === expected.length &&
      expected.every((element, index) => valuesAgree(element, actual[index] ?? null))
    );
  }
  if (!isObject(expected)) return isDeepStrictEqual(expected, actual);
  if (!isObject(actual)) return false;
  const missing = Object.keys(expected).some((key) => !(key in actual));
  const surplus = Object.keys(actual).some((key) => !(key in expected) && !isAdded(expected, key));
  if (missing || surplus) return false;
  return Object.entries(expected).every(
    ([key, value]) => isLiveCounter(expected, key, actual[key]) || valuesAgree(value, actual[key] ?? null),
  );
}

/** The size of the DID is in every record of a rule, not only in lists (spec/replication.md 2.2). */
function isAdded(expected: JsonObject, key: string): boolean {
  return ADDED_KEYS.has(key) || (key === 'bytes' && isRule(expected));
}

function isRule(record: JsonObject): boolean {
  return 'locks_ok_cnt' in record && 'did_type' in record;
}

/** Dapple counts the content of open collections, for which Rucio answers null (spec/dids.md 6 #9). */
function isLiveCounter(expected: JsonObject, key: string, actual: JsonValue | undefined): boolean {
  const isSize = (key === 'bytes' || key === 'length') && ('length' in expected || isRule(expected));
  const isCollection = COLLECTIONS.has(expected['type']) || COLLECTIONS.has(expected['did_type']);
  return isSize && isCollection && expected[key] === null && typeof actual === 'number';
}

function sameKeys(expected: JsonValue, actual: JsonValue): boolean {
  if (!isObject(expected) || !isObject(actual)) return typeof expected === typeof actual;
  return isDeepStrictEqual(Object.keys(expected).sort(), Object.keys(actual).sort());
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function differ<T>(
  what: string,
  expected: T,
  actual: T,
  agree: (expected: T, actual: T) => boolean = isDeepStrictEqual,
): string[] {
  return agree(expected, actual) ? [] : [`${what}: expected ${show(expected)}, got ${show(actual)}`];
}

function show(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value);
}
