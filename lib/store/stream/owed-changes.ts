import { promisify } from 'node:util';
import { brotliCompressSync, brotliDecompress, constants } from 'node:zlib';

import { parseNamed } from '../../json-names.ts';
import type { Table } from '../batches/table.ts';
import type { Item } from '../items/item.ts';
import type { Change } from '../items/plan.ts';
import { isBytes, isNumber, readAttribute } from '../items/read-attributes.ts';
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

/** Packs the changes that a consumer owes into items, in order, behind the packs before `first`. */
export class OwedPacks {
  readonly #consumer: Consumer;
  #next: number;
  #texts: string[] = [];
  #characters = 0;

  constructor(consumer: Consumer, first: number) {
    this.#consumer = consumer;
    this.#next = first;
  }

  /** Adds a change; returns the items of the pack that it fills. */
  add(record: StreamRecord): Item[] {
    const text = JSON.stringify(record);
    this.#texts.push(text);
    this.#characters += text.length;
    return this.#texts.length < maxRecords && this.#characters < maxCharacters ? [] : this.end();
  }

  /** The items of the last pack. */
  end(): Item[] {
    if (this.#texts.length === 0) return [];
    const packed = brotliCompressSync(`[${this.#texts.join()}]`, quality);
    const pack = this.#next;
    this.#next += 1;
    [this.#texts, this.#characters] = [[], 0];
    const count = Math.ceil(packed.length / maxPieceBytes);
    return Array.from({ length: count }, (_value, piece) => ({
      ...owedKeys.pack(this.#consumer, pack, piece),
      changes: new Uint8Array(packed.subarray(piece * maxPieceBytes, (piece + 1) * maxPieceBytes)),
      pieces: count,
    }));
  }
}

/** The first changes that a consumer owes; undefined if it owes none, or they are being written. Costs a read unit then. */
export async function getFirstOwed(table: Table, consumer: Consumer): Promise<OwedChanges | undefined> {
  const pk = owedKeys.partition(consumer);
  const { value: first, done } = await table.query({ pk, pageSize: 1 }).next();
  if (done === true) return undefined;
  const pieces = await Array.fromAsync(table.query({ pk, ...owedKeys.piecesOf(packOf(first)) }));
  if (pieces.length < readAttribute(first, 'pieces', isNumber)) return undefined;
  const packed = Buffer.concat(pieces.map((piece) => readAttribute(piece, 'changes', isBytes)));
  return { records: parseNamed((await unpack(packed)).toString()) as StreamRecord[], pieces };
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
