import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';

import { mapLimited } from '../../parallel.ts';
import type { Verdict } from '../batches/batch-record.ts';
import { endAbandoned } from '../batches/settle.ts';
import type { Writer } from '../batches/writer.ts';
import type { Item } from '../items/item.ts';
import type { TableChange } from './change.ts';
import { contentOf, type Read, readerOf } from './kinds.ts';
import { type ItemChange, keyOfRecord, readRecord, type StreamRecord } from './record.ts';

/** What records of the stream say. */
export interface StreamBatch {
  /** The committed changes, in their order; those of a bulk request are visible together. */
  readonly changes: readonly TableChange[];
  /** The sequence number from which on the records are to be read again: a bulk request there is not decided. */
  readonly undone?: string;
}

/** How long an undecided bulk request is waited for, in milliseconds. */
const patience = 10_000;

/** Bulk requests whose verdicts are asked for at once. */
const parallel = 16;

/**
 * Reads committed changes out of records of the table's stream (docs/adr/0011-rules-on-the-stream.md). Costs a read for
 * each bulk request of the last hour that this process does not know.
 *
 * What an undecided bulk request has inserted waits for the verdict, for ten seconds; one whose writer is gone is given
 * up here. What a bulk request leaves beside the values of an item is no change; carrying it out is one. Nothing is told
 * of what an aborted one has inserted.
 *
 * @param wait Milliseconds to wait for undecided bulk requests at most.
 */
export async function readStream(
  writer: Writer,
  records: readonly StreamRecord[],
  wait: number = patience,
): Promise<StreamBatch> {
  const told = records.flatMap((record) => {
    const read = readerOf(keyOfRecord(record));
    return read === undefined ? [] : [{ read, ...readRecord(record) }];
  });
  const verdicts = await decide(writer, told, Date.now() + wait);
  const end = told.findIndex((change) => batchesOf(change).some((id) => verdicts.get(id)?.state === 'pending'));
  const decided = end === -1 ? told : told.slice(0, end);
  const changes = decided.flatMap((change) => toChange(change, verdicts) ?? []);
  const undone = told[end]?.sequenceNumber;
  return undone === undefined ? { changes } : { changes, undone };
}

function batchesOf({ before, after }: ItemChange): string[] {
  return [before?.batch, after?.batch].filter((id) => id !== undefined);
}

function toChange(
  { read, id, at, before, after }: ItemChange & { readonly read: Read },
  verdicts: ReadonlyMap<string, Verdict>,
): TableChange | undefined {
  const seen = (item: Item | undefined) =>
    item?.batch !== undefined && verdicts.get(item.batch)?.state === 'aborted' ? undefined : item;
  const images = { id, at, before: seen(before), after: seen(after) };
  return isDeepStrictEqual(content(images.before), content(images.after)) ? undefined : read(images);
}

const content = (item: Item | undefined) => (item === undefined ? undefined : contentOf(item));

/** The verdicts on all bulk requests of the records; some may still be pending after the time. */
async function decide(writer: Writer, changes: readonly ItemChange[], until: number): Promise<Map<string, Verdict>> {
  // The latest look at each: what carries the stamp after an hour was committed.
  const looks = new Map<string, number>();
  for (const change of changes) for (const id of batchesOf(change)) looks.set(id, change.at);
  const found = await mapLimited([...looks], parallel, async ([id, at]): Promise<[string, Verdict]> => {
    return [id, await verdictOn(writer, id, at, until)];
  });
  return new Map(found);
}

async function verdictOn(writer: Writer, id: string, at: number, until: number): Promise<Verdict> {
  for (let pause = 20; ; pause = Math.min(2 * pause, 500)) {
    const verdict = await writer.batches.verdictAsOf(id, at);
    if (verdict.state === 'aborted') return verdict;
    if (verdict.state === 'committed') {
      // By another machine's clock; who looks at the table now must see it.
      if (verdict.at >= Date.now()) await sleep(Math.min(verdict.at - Date.now() + 1, 1_000));
      return verdict;
    }
    if (verdict.deadline < Date.now()) {
      await endAbandoned(writer, id);
      continue;
    }
    if (Date.now() > until) return verdict;
    await sleep(pause);
  }
}
