import { EngineError, invalid } from '../errors.ts';

/** A place in a stream from which records are read. */
export interface StreamIterator {
  readonly arn: string;
  /** The records after this sequence number come next. */
  readonly after: number;
  /** When it was made, in milliseconds since 1970. */
  readonly madeAt: number;
}

const lifetimeMilliseconds = 900_000;

/** The text of an iterator. */
export function printIterator({ arn, after, madeAt }: StreamIterator): string {
  return `${arn}|1|${Buffer.from(`${after} ${madeAt}`).toString('base64url')}`;
}

/**
 * Reads the text of an iterator.
 *
 * @throws ValidationException when it is none; ExpiredIteratorException when it is older than 15 minutes.
 */
export function parseIterator(text: string, now: number): StreamIterator {
  const [arn = '', mark, code = ''] = text.split('|');
  const [after = Number.NaN, madeAt = Number.NaN] = Buffer.from(code, 'base64url').toString().split(' ').map(Number);
  if (mark !== '1' || !Number.isFinite(after) || !Number.isFinite(madeAt)) throw invalid('Invalid ShardIterator');
  if (now > madeAt + lifetimeMilliseconds) {
    throw new EngineError('ExpiredIteratorException', 'Iterator expired. The iterator was created at time ' + madeAt);
  }
  return { arn, after, madeAt };
}
