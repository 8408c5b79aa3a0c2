import { isObject } from './normalise.ts';
import type { Body } from './request.ts';

/** A violated constraint of a member, as a message reports it. */
export interface Violation {
  readonly path: string;
  readonly constraint: string;
}

const heading = /^[1-9]\d* validation errors? detected: /;

/** The violations in a message; undefined for other messages. */
export function readViolations(message: string): Violation[] | undefined {
  if (!heading.test(message)) return undefined;
  const parts = message.replace(heading, '').split(/; (?=Value )/);
  const found = parts.map((part) => /^Value .*\bat '([^']*)' failed to satisfy constraint: (.*)$/s.exec(part));
  return found.some((part) => part === null)
    ? undefined
    : found.map((part) => ({ path: part?.[1] ?? '', constraint: part?.[2] ?? '' }));
}

/** Whether a request really violates the constraints in a message. */
export function areThere(violations: readonly Violation[], body: Body): boolean {
  return violations.every(({ path, constraint }) => {
    return valuesAt(path, body).some((value) => isViolated(constraint, value));
  });
}

/** The values at a path in DynamoDB's notation: members begin with a small letter, lists count from 1. */
export function valuesAt(path: string, body: Body): unknown[] {
  let values: unknown[] = [body];
  for (const step of path.split('.')) {
    if (step === 'member') continue;
    values = values.flatMap((value) => {
      if (Array.isArray(value)) return [value[Number(step) - 1]];
      if (!isObject(value)) return [undefined];
      const capital = step.charAt(0).toUpperCase() + step.slice(1);
      return Object.hasOwn(value, step) ? [value[step]] : [value[capital]];
    });
  }
  return values;
}

function isViolated(constraint: string, value: unknown): boolean {
  if (constraint === 'Member must not be null') return value === undefined || value === null;
  const ofMap = /^Map (keys|value) must satisfy constraint: \[(.*)\]$/.exec(constraint);
  if (ofMap !== null && isObject(value)) {
    const parts = ofMap[1] === 'keys' ? Object.keys(value) : Object.values(value);
    const constraints = (ofMap[2] ?? '').split(/, (?=Member )/);
    return parts.some((part) => constraints.some((one) => isViolated(one, part)));
  }
  const bound = /^Member must have (length|value) (less|greater) than or equal to (\d+)$/.exec(constraint);
  if (bound !== null) {
    const measured = bound[1] === 'value' ? value : lengthOf(value);
    if (typeof measured !== 'number') return false;
    return bound[2] === 'less' ? measured > Number(bound[3]) : measured < Number(bound[3]);
  }
  const oneOf = /^Member must satisfy enum value set: \[(.*)\]$/.exec(constraint)?.[1];
  if (oneOf !== undefined) return typeof value === 'string' && !oneOf.split(', ').includes(value);
  const pattern = /^Member must satisfy regular expression pattern: (.*)$/.exec(constraint)?.[1];
  return pattern !== undefined && typeof value === 'string' && !new RegExp(`^(?:${pattern})$`).test(value);
}

function lengthOf(value: unknown): number | undefined {
  if (typeof value === 'string' || Array.isArray(value)) return value.length;
  return isObject(value) ? Object.keys(value).length : undefined;
}
