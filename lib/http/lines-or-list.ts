import { fail } from '../errors.ts';
import { toPythonJson } from '../python/json.ts';
import type { TextReply } from './respond.ts';

/** The ranges of an `Accept` header that allow a JSON stream. The empty range stands for a missing header. */
const streamRanges: ReadonlySet<string> = new Set(['', '*/*', 'application/*', 'application/x-json-stream']);

/**
 * Reads all rows and writes them as a JSON stream, or as a JSON list where `Accept` allows JSON but no stream
 * (spec/dids.md 6 #14).
 *
 * @throws UnsupportedRequestedContentType (406) where `Accept` allows neither; what reading the rows throws.
 */
export async function replyWithLinesOrList(
  accept: string | undefined,
  rows: AsyncIterable<unknown>,
): Promise<TextReply> {
  const list = await Array.fromAsync(rows);
  const ranges = (accept ?? '').split(',').map((range) => range.split(';')[0]?.trim().toLowerCase() ?? '');
  if (ranges.some((range) => streamRanges.has(range))) {
    return { body: list.map((row) => `${toPythonJson(row)}\n`).join('') };
  }
  if (ranges.includes('application/json')) {
    return { headers: { 'Content-Type': 'application/json' }, body: toPythonJson(list) };
  }
  return fail(
    'UnsupportedRequestedContentType',
    `The requested content type ${accept} is not supported. Use ['application/x-json-stream'].`,
  );
}
