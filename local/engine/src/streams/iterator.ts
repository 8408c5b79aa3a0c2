import { EngineError, validationError } from '../errors.ts';

/** A position in a stream from which records are read. */
export interface StreamIterator {
  readonly arn: string;
  /** Records after this sequence number are read next. */
  readonly after: number;
  /** When it was created, in milliseconds since 1970. */
  readonly madeAt: number;
}

const lifetimeMs = 900_000;

/** The text of an iterator. */
export function printIterator({ arn, after, madeAt }: StreamIterator): string {
  return `${arn}|1|${Buffer.from(`${after} ${madeAt}`).toString('base64url')}`;
}

/**
 * Parses the text of an iterator.
 *
 * @throws ValidationException if it is invalid; ExpiredIteratorException if it is older than 15 minutes.
 */
export function parseIterator(text: string, now: number): StreamIterator {
  const [arn = '', mark, code = ''] = text.split('|');
  const [after = Number.NaN, madeAt = Number.NaN] = Buffer.from(code, 'base64url').toString().split(' ').map(Number);
  if (mark !== '1' || !Number.isFinite(after) || !Number.isFinite(madeAt))
    throw validationError('Invalid ShardIterator');
  if (now > madeAt + lifetimeMs) {
    throw new EngineError('ExpiredIteratorException', 'Iterator expired. The iterator was created at time ' + madeAt);
  }
  return { arn, after, madeAt };
}
