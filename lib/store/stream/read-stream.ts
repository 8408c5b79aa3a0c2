import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';

import { clock } from '../../clock.ts';
import { mapLimited } from '../../parallel.ts';
import { abortAbandoned } from '../batches/abort.ts';
import type { Verdict } from '../batches/batch-record.ts';
import type { Writer } from '../batches/writer.ts';
import type { Item } from '../items/item.ts';
import type { TableChange } from './change.ts';
import { contentOf, findReader, type Images, type ReadChange } from './kinds.ts';
import { type ItemChange, keyOfRecord, readRecord, settleRecord, type StreamRecord } from './record.ts';

/** The result of reading records of the stream. */
export interface StreamBatch {
  /** The committed changes, in their order; the writes of one batch are all visible. */
  readonly changes: readonly TableChange[];
  /** The sequence number from which the records have to be delivered again: a batch there is still pending. */
  readonly undone?: string;
}

/** How long a pending batch is awaited. */
const pendingTimeoutMs = 10_000;

/** The most batches whose verdicts are read in parallel. */
const maxParallelReads = 16;

/**
 * Reads committed changes out of records of the table's stream (docs/adr/0011-rules-on-the-stream.md). Costs a read for each
 * batch of the last hour whose verdict is not cached.
 *
 * Writes of a pending batch wait for its verdict; a batch whose writer is gone is aborted here. Staging a change delivers
 * nothing, folding it delivers the change. Writes of aborted batches are not delivered.
 *
 * @param timeoutMs How long to wait for pending batches at most.
 */
export async function readStream(
  writer: Writer,
  records: readonly StreamRecord[],
  timeoutMs: number = pendingTimeoutMs,
): Promise<StreamBatch> {
  const itemChanges = records.flatMap(readDelivered);
  const verdicts = await awaitVerdicts(writer, itemChanges, clock.now() + timeoutMs);
  const end = itemChanges.findIndex((change) => batchesOf(change).some((id) => verdicts.get(id)?.state === 'pending'));
  const decided = end === -1 ? itemChanges : itemChanges.slice(0, end);
  const changes = decided.flatMap(({ read, ...change }) => {
    const images = imagesOf(change, verdicts);
    return hasSameContent(images) ? [] : (read(images) ?? []);
  });
  const undone = itemChanges[end]?.sequenceNumber;
  return undone === undefined ? { changes } : { changes, undone };
}

/**
 * The records of committed changes as they are to be delivered without the records of their batches: without stamps, and without
 * what aborted batches have written.
 *
 * @param records Of a table where all batches are settled.
 * @throws Error if a batch is pending.
 */
export async function settleRecords(writer: Writer, records: readonly StreamRecord[]): Promise<StreamRecord[]> {
  const delivered = records.flatMap((record) => readDelivered(record).map((change) => ({ record, change })));
  const verdicts = await awaitVerdicts(
    writer,
    delivered.map(({ change }) => change),
    clock.now(),
  );
  for (const [batch, { state }] of verdicts) {
    if (state === 'pending') throw new Error(`the bulk request ${batch} is under way: its changes are not known`);
  }
  return delivered.flatMap(({ record, change }) => {
    const images = imagesOf(change, verdicts);
    return hasSameContent(images) ? [] : [settleRecord(record, images)];
  });
}

/** The change of a record with its reader; none for an item whose changes are not delivered. */
function readDelivered(record: StreamRecord): (ItemChange & { readonly read: ReadChange })[] {
  const read = findReader(keyOfRecord(record));
  return read === undefined ? [] : [{ read, ...readRecord(record) }];
}

function batchesOf({ before, after }: ItemChange): string[] {
  return [before?.batch, after?.batch].filter((id) => id !== undefined);
}

/** The images of a change without what aborted batches have inserted. */
function imagesOf({ id, at, before, after }: ItemChange, verdicts: ReadonlyMap<string, Verdict>): Images {
  const seen = (item: Item | undefined) =>
    item?.batch !== undefined && verdicts.get(item.batch)?.state === 'aborted' ? undefined : item;
  return { id, at, before: seen(before), after: seen(after) };
}

function hasSameContent({ before, after }: Images): boolean {
  if (before === undefined || after === undefined) return before === after;
  return isDeepStrictEqual(contentOf(before), contentOf(after));
}

/** The verdicts on all batches of the records; some may still be pending when the time is over. */
async function awaitVerdicts(
  writer: Writer,
  changes: readonly ItemChange[],
  until: number,
): Promise<Map<string, Verdict>> {
  // The latest time at which each stamp was seen: a batch whose stamp is still there after an hour was committed.
  const seenAt = new Map<string, number>();
  for (const change of changes) {
    clock.observe(change.at);
    for (const id of batchesOf(change)) seenAt.set(id, change.at);
  }
  const found = await mapLimited([...seenAt], maxParallelReads, async ([id, at]): Promise<[string, Verdict]> => {
    return [id, await awaitVerdict(writer, id, at, until)];
  });
  return new Map(found);
}

async function awaitVerdict(writer: Writer, id: string, at: number, until: number): Promise<Verdict> {
  for (let pause = 20; ; pause = Math.min(2 * pause, 500)) {
    const verdict = await writer.batches.verdictAsOf(id, at);
    if (verdict.state === 'aborted') return verdict;
    if (verdict.state === 'committed') {
      // The time is of another machine's clock. Reads of the table from now on must show the batch.
      clock.observe(verdict.at);
      return verdict;
    }
    if (verdict.deadline < clock.now()) {
      await abortAbandoned(writer, id);
      continue;
    }
    if (clock.now() > until) return verdict;
    await sleep(pause);
  }
}
