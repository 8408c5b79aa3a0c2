import type { Path } from '../expressions/path.ts';
import type { Cursor } from './cursor.ts';
import { notWellFormedError } from './errors.ts';

/**
 * Parses a document path: names, and indexes of lists.
 *
 * @throws ValidationException if it is incomplete.
 */
export function parsePath(cursor: Cursor): Path {
  const path: (string | number)[] = [readName(cursor)];
  for (;;) {
    if (cursor.takeSymbol('.')) path.push(readStep(cursor));
    else if (cursor.takeSymbol('[')) path.push(readIndex(cursor));
    else return path;
  }
}

function readName(cursor: Cursor): string {
  const { text } = cursor.take();
  if (text === '') cursor.note('Path component cannot be an empty string');
  return text;
}

function readStep(cursor: Cursor): string {
  if (cursor.next.type === 'name') return readName(cursor);
  const star = cursor.next;
  if (!cursor.takeSymbol('*')) throw notWellFormedError('Invalid path dot component');
  cursor.note('Unpivot path component like a.*.b are not supported', star);
  return '*';
}

function readIndex(cursor: Cursor): string | number {
  const isNegative = cursor.takeSymbol('-');
  const step = cursor.take();
  cursor.expectSymbol(']', 'RIGHT_BRACKET');
  if (step.type === 'string') {
    if (step.text === '') cursor.note('Path component cannot be an empty string');
    return step.text;
  }
  if (step.type === 'symbol' && step.text === '*') {
    cursor.note('Wildcard path component like a[*].b are not supported', step);
    return 0;
  }
  const index = Number(step.text);
  if (step.type !== 'number' || !Number.isInteger(index)) cursor.note('Unexpected path component', step);
  else if (isNegative || index >= 2 ** 31) {
    const text = `${isNegative ? '-' : ''}${step.text}`;
    cursor.note(`List index is not within the allowable range; index: [${text}]`, step);
  }
  return index;
}
