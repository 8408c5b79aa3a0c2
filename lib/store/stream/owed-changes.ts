import { promisify } from 'node:util';
import { brotliCompressSync, brotliDecompress, constants } from 'node:zlib';

import type { Table } from '../batches/table.ts';
import type { Item } from '../items/item.ts';
import type { Change } from '../items/plan.ts';
import { isBytes, readAttribute } from '../items/read-attributes.ts';
import { owedKeys, packOf } from '../keys/owed-keys.ts';
import type { StreamRecord } from './record.ts';

/*
 * Changes that a consumer of the stream has not followed, kept in the table: a table that is made of a backup has a stream of its own,
 * without the changes from before the backup (docs/adr/0022-owed-changes.md).
 */

/** The consumers of the stream, by the reactions that they run. */
export const consumers = ['fast', 'slow'] as const;

/** A consumer of the stream. */
export type Consumer = (typeof consumers)[number];

/** Some changes that a consumer has not followed, in their order. */
export interface OwedChanges {
  readonly records: readonly StreamRecord[];
  /** The pieces of the table that hold them. */
  readonly pieces: readonly Item[];
}

/** The most records of a pack, and from how many characters on it takes no more. */
const [maxRecords, maxCharacters] = [200, 500_000];

/** The compressed size of a piece; an item holds 400 KB with its keys. */
const maxPieceBytes = 350_000;

const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

const unpack = promisify(brotliDecompress);

/** Packs the changes that a consumer owes into items, which sort behind those of the packs before `first`. */
export async function* packOwed(
  consumer: Consumer,
  records: AsyncIterable<StreamRecord>,
  first: number,
): AsyncGenerator<Item> {
  let pack = first;
  let texts: string[] = [];
  let characters = 0;
  for await (const record of records) {
    const text = JSON.stringify(record);
    texts.push(text);
    characters += text.length;
    if (texts.length < maxRecords && characters < maxCharacters) continue;
    yield* piecesOf(consumer, pack, texts);
    pack += 1;
    [texts, characters] = [[], 0];
  }
  if (texts.length > 0) yield* piecesOf(consumer, pack, texts);
}

function piecesOf(consumer: Consumer, pack: number, texts: readonly string[]): Item[] {
  const packed = brotliCompressSync(`[${texts.join()}]`, quality);
  const count = Math.ceil(packed.length / maxPieceBytes);
  return Array.from({ length: count }, (_value, piece) => ({
    ...owedKeys.pack(consumer, pack, piece),
    changes: new Uint8Array(packed.subarray(piece * maxPieceBytes, (piece + 1) * maxPieceBytes)),
  }));
}

/** The first changes that a consumer owes; undefined if it owes none. Costs half a unit then. */
export async function getFirstOwed(table: Table, consumer: Consumer): Promise<OwedChanges | undefined> {
  const pk = owedKeys.partition(consumer);
  const { value: first, done } = await table.query({ pk, pageSize: 1 }).next();
  if (done === true) return undefined;
  const pieces = await Array.fromAsync(table.query({ pk, ...owedKeys.piecesOf(packOf(first)) }));
  const packed = Buffer.concat(pieces.map((piece) => readAttribute(piece, 'changes', isBytes)));
  return { records: JSON.parse((await unpack(packed)).toString()) as StreamRecord[], pieces };
}

/** The number of the first pack that a consumer does not owe. */
export async function endOfOwed(table: Table, consumer: Consumer): Promise<number> {
  let end = 0;
  for await (const item of table.query({ pk: owedKeys.partition(consumer) })) end = packOf(item) + 1;
  return end;
}

/** The writes that take note that changes were followed. */
export function deleteOwed({ pieces }: OwedChanges, onMissing: () => Error): Change[] {
  return pieces.map(({ PK, SK }) => ({
    kind: 'change',
    key: { PK, SK },
    patch: { delete: true },
    onMismatch: onMissing,
  }));
}
