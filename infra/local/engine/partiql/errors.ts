import { type EngineError, invalid } from '../errors.ts';

/**
 * The error of a statement that cannot be parsed.
 *
 * @param detail What AWS says about it; nothing when the text has no tokens there.
 */
export function notWellFormed(detail: string): EngineError {
  return invalid(`Statement wasn't well formed, can't be processed: ${detail}`);
}

/** Characters of a statement, as messages point at them. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** The place of a span as AWS writes it: line, column and length. */
export function printPlace(text: string, { start, end }: Span): string {
  const before = text.slice(0, start).split('\n');
  return `${before.length}:${(before.at(-1) ?? '').length + 1}:${end - start}`;
}
