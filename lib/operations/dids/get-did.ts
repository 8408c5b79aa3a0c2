import type * as z from 'zod/mini';

import type { did as didAnswer, DidKey } from '../../contract/schemas/did.ts';
import { listDatasetsBelow } from '../../domain/did-graph/datasets-below.ts';
import { findDid } from '../../domain/dids/find-did.ts';
import type { Context } from '../../domain/values/context.ts';
import { addIntegers, type Integer } from '../../integer.ts';
import type { Table } from '../../store/batches/table.ts';
import { asCollection, type Did } from '../../store/entities/did.ts';
import type { Store } from '../../store/open-store.ts';
import { formatOptionalDate } from '../../time.ts';

/** Size of a DID: number of files and sum of their bytes. */
export interface DidSize {
  readonly length: Integer;
  readonly bytes: Integer;
  readonly events: Integer;
}

/** Which size of a container a request asks for. */
interface SizeQuery {
  readonly dynamic: boolean;
  readonly dynamic_depth?: string | undefined;
}

/**
 * One DID (spec/dids.md 2.3).
 *
 * @param query `dynamic`: count a container's files now instead of reading the stored size. `dynamic_depth` takes
 *   precedence; its two values count alike, since the size of a dataset is always exact.
 * @throws DataIdentifierNotFound (404).
 */
export async function showDid(context: Context, key: DidKey, query: SizeQuery): Promise<z.input<typeof didAnswer>> {
  const { table } = context.store;
  const did = await findDid(table, key);
  const { scope, name, type, account } = did;
  const collection = asCollection(did);
  const { length, bytes } = isDynamic(query) ? await measureTogether(context.store, did) : getStoredSize(did);
  return {
    scope,
    name,
    type,
    did_type: type,
    account,
    open: collection?.open ?? false,
    monotonic: collection?.monotonic ?? false,
    expired_at: formatOptionalDate(did.expiredAt),
    length,
    bytes,
    ...(did.type === 'FILE' ? { md5: did.md5 ?? null, adler32: did.adler32 ?? null } : {}),
  };
}

function isDynamic({ dynamic, dynamic_depth }: SizeQuery): boolean {
  return dynamic_depth === undefined ? dynamic : /^(file|dataset)$/i.test(dynamic_depth);
}

/** The size that the DID carries: of files and datasets exact at all times. */
export function getStoredSize(did: Did): DidSize {
  const { bytes = 0, events = 0 } = did;
  return { length: did.type === 'FILE' ? 1 : (did.length ?? 0), bytes, events };
}

/**
 * The exact size of a DID, all its datasets at one instant: when a bulk request changed one of them while they were
 * read, they are read again.
 */
async function measureTogether(store: Store, did: Did): Promise<DidSize> {
  let moment = store;
  for (let attempt = 0; ; attempt += 1) {
    const { size, changedAt } = await measure(moment.table, did);
    if (changedAt < moment.beganAt || attempt === mostAttempts) return size;
    moment = store.begin();
  }
}

const mostAttempts = 5;

/** The exact size of a DID: of a container the sum over all different datasets below it. */
export async function measureSize(table: Table, did: Did): Promise<DidSize> {
  return (await measure(table, did)).size;
}

async function measure(table: Table, did: Did): Promise<{ size: DidSize; changedAt: number }> {
  let size = getStoredSize(did);
  let changedAt = 0;
  if (did.type === 'CONTAINER') {
    size = { length: 0, bytes: 0, events: 0 };
    for await (const dataset of listDatasetsBelow(table, did)) {
      size = addSizes(size, getStoredSize(dataset));
      changedAt = Math.max(changedAt, dataset.foldedAt ?? 0);
    }
  }
  return { size, changedAt };
}

function addSizes(a: DidSize, b: DidSize): DidSize {
  return {
    length: addIntegers(a.length, b.length),
    bytes: addIntegers(a.bytes, b.bytes),
    events: addIntegers(a.events, b.events),
  };
}
