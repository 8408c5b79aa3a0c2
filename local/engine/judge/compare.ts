import { isObject, type NormalAnswer } from './normalise.ts';

/** A place where two answers differ, with both values; undefined for a missing one. */
export interface Difference {
  readonly path: string;
  readonly left: unknown;
  readonly right: unknown;
}

/** Lists the differences of two normalised answers. */
export function compareAnswers(left: NormalAnswer, right: NormalAnswer): Difference[] {
  const ends = [left.error ?? 'success', right.error ?? 'success'];
  if (left.status !== right.status || ends[0] !== ends[1]) {
    const describe = ({ status, error, message }: NormalAnswer) =>
      error === undefined ? `${status}` : `${status} ${error}: ${message ?? '(no message)'}`;
    return [{ path: 'outcome', left: describe(left), right: describe(right) }];
  }
  return [...compareValues('message', left.message, right.message), ...compareValues('', left.body, right.body)];
}

/** Lists the differences of two JSON values. */
export function compareValues(path: string, left: unknown, right: unknown): Difference[] {
  if (left === right) return [];
  if (Array.isArray(left) && Array.isArray(right) && left.length === right.length) {
    return left.flatMap((member, index) => compareValues(`${path}[${index}]`, member, right[index]));
  }
  if (!isObject(left) || !isObject(right)) return [{ path, left, right }];
  const names = new Set([...Object.keys(left), ...Object.keys(right)]);
  return [...names].flatMap((name) =>
    compareValues(path === '' ? name : `${path}.${name}`, memberOf(left, name), memberOf(right, name)),
  );
}

function memberOf(holder: Record<string, unknown>, name: string): unknown {
  return Object.hasOwn(holder, name) ? holder[name] : undefined;
}
