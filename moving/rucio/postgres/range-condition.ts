import type { Range } from '../source.ts';

/** A condition in SQL with its parameters. */
export interface Condition {
  readonly sql: string;
  readonly values: readonly string[];
}

/** A name as SQL writes it whatever its letters. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** The condition that some columns are within the bounds of a range. A row comparison can use an index on them. */
export function withinRange(columns: readonly string[], { after, upTo }: Range): Condition {
  const values: string[] = [];
  const compare = (operator: string, bound: readonly string[] | undefined) => {
    if (bound === undefined) return [];
    const places = bound.map((value) => `$${values.push(value)}`);
    return [`(${columns.map(quoteName).join(', ')}) ${operator} (${places.join(', ')})`];
  };
  const conditions = [...compare('>', after), ...compare('<=', upTo)];
  return { sql: conditions.length === 0 ? 'TRUE' : conditions.join(' AND '), values };
}
