import { type EngineError, validationError } from '../errors.ts';

/**
 * The error of a statement that cannot be parsed.
 *
 * @param detail AWS's details; nothing where the text is not a token.
 */
export function notWellFormedError(detail: string): EngineError {
  return validationError(`Statement wasn't well formed, can't be processed: ${detail}`);
}

/** A range of characters in a statement, for error messages. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** The position of a span in AWS's notation: line, column and length. */
export function printPlace(text: string, { start, end }: Span): string {
  const before = text.slice(0, start).split('\n');
  return `${before.length}:${(before.at(-1) ?? '').length + 1}:${end - start}`;
}
