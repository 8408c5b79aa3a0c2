import { chunksOfAccounts } from '../domain/accounts/chunks-of-accounts.ts';
import { chunksOf } from '../domain/values/chunks.ts';
import { addIntegers, type Integer, negate } from '../integer.ts';
import type { Table } from '../store/batches/table.ts';
import { getAccountUsages, insertAccountUsageDifference } from '../store/entities/account-usage.ts';
import { getDids } from '../store/entities/did.ts';
import { getOwnUsage, insertRseUsageDifference } from '../store/entities/rse-usage.ts';
import { listRseContent, listRses, type Rse } from '../store/entities/rse.ts';
import type { UsageDifference } from '../store/entities/usage-difference.ts';
import { shards } from '../store/keys/key-parts.ts';
import type { Store } from '../store/open-store.ts';

/** What was found out about a sum. */
export interface Recounted {
  readonly rse: string;
  /** Absent: the usage of the RSE itself. */
  readonly account?: string;
  readonly recorded: UsageDifference;
  readonly counted: UsageDifference;
  /** `restless`: it changed whenever it was counted, so nothing can be said. */
  readonly verdict: 'right' | 'wrong' | 'repaired' | 'restless';
}

/** Which RSEs are counted, and whether what is wrong is put right. */
interface RecountOptions {
  /** By name; absent: all, disabled ones included. */
  readonly rses?: readonly string[];
  readonly repair?: boolean;
}

/** Files that are read with one request; those of all shards at once. */
const chunkSize = 100;

/** How often an RSE is counted that changes meanwhile. */
const attempts = 3;

/**
 * Counts anew what RSEs hold and what accounts use of them, from the replicas and their locks, and compares it with what
 * is recorded; yields one line for each RSE, and one for each account that uses it, or that is wrong. Takes writes
 * meanwhile, and can be stopped and repeated at any time.
 *
 * Costs a read unit for each replica, and some for each pair of account and RSE; needs memory for the accounts, not for
 * the files.
 *
 * @param store Is read afresh for each RSE.
 */
export async function* recountUsage(store: Store, { rses, repair = false }: RecountOptions = {}) {
  for await (const rse of listRses(store.begin().table)) {
    if (rses === undefined || rses.includes(rse.rse)) yield* recountRse(store, rse, repair);
  }
}

async function* recountRse(store: Store, rse: Rse, repair: boolean): AsyncGenerator<Recounted> {
  let open: ReadonlySet<string> | undefined;
  for (let attempt = 1; open === undefined || (open.size > 0 && attempt <= attempts); attempt += 1) {
    // Each record names its version, so that of two equal ones nothing changed in between.
    const before = await readRecords(store.begin().table, rse.id);
    const counted = await count(store.begin().table, rse.id);
    const after = await readRecords(store.begin().table, rse.id);
    const restless = new Set<string>();
    for (const account of new Set([...after.keys(), ...counted.keys()])) {
      if (open !== undefined && !open.has(account)) continue;
      const recorded = after.get(account) ?? nothing;
      const isSettled = (before.get(account) ?? nothing).version === recorded.version;
      if (!isSettled && attempt < attempts) restless.add(account);
      else {
        const found = counted.get(account) ?? nothing;
        const verdict = isSettled ? await judge(store, { rse, account, recorded, found, repair }) : 'restless';
        yield line(rse, account, recorded, found, verdict);
      }
    }
    open = restless;
  }
}

interface Judgement {
  readonly rse: Rse;
  readonly account: string;
  readonly recorded: UsageDifference;
  readonly found: UsageDifference;
  readonly repair: boolean;
}

/** What is missing goes in as one more difference, which whatever happens meanwhile is added to. */
async function judge(store: Store, { rse, account, recorded, found, repair }: Judgement) {
  const missing = {
    bytes: addIntegers(found.bytes, negate(recorded.bytes)),
    files: addIntegers(found.files, negate(recorded.files)),
  };
  if (missing.bytes === 0 && missing.files === 0) return 'right';
  if (!repair) return 'wrong';
  await store.write(async () => [
    account === rseItself
      ? insertRseUsageDifference(rse.id, missing)
      : insertAccountUsageDifference(account, rse.id, missing),
  ]);
  return 'repaired';
}

/** No account has this name. */
const rseItself = '';

const nothing = { bytes: 0, files: 0, version: 0 };

type Sums = Map<string, UsageDifference>;

function line(
  { rse }: Rse,
  account: string,
  { bytes, files }: UsageDifference,
  found: UsageDifference,
  verdict: Recounted['verdict'],
): Recounted {
  const counted = { bytes: found.bytes, files: found.files };
  const compared = { recorded: { bytes, files }, counted, verdict };
  return account === rseItself ? { rse, ...compared } : { rse, account, ...compared };
}

/** What is recorded of an RSE, and of the accounts that use it. */
async function readRecords(table: Table, rseId: string) {
  const records = new Map([[rseItself, await getOwnUsage(table, rseId)]]);
  for await (const accounts of chunksOfAccounts(table)) {
    for (const [account, usage] of await getAccountUsages(table, accounts, rseId)) records.set(account, usage);
  }
  return records;
}

/** What there is on an RSE, and what of it accounts are charged with. */
async function count(table: Table, rseId: string): Promise<Sums> {
  const sums: Sums = new Map([[rseItself, { bytes: 0, files: 0 }]]);
  await Promise.all(shards.map((shard) => countShard(table, rseId, shard, sums)));
  return sums;
}

async function countShard(table: Table, rseId: string, shard: number, sums: Sums): Promise<void> {
  for await (const chunk of chunksOf(listRseContent(table, rseId, shard), chunkSize)) {
    for (const { bytes = 0, replicas } of await getDids(table, chunk)) {
      const replica = replicas.get(rseId);
      if (replica === undefined) continue;
      add(sums, rseItself, bytes);
      for (const { account } of Object.values(replica.locks ?? {})) add(sums, account, bytes);
    }
  }
}

function add(sums: Sums, account: string, size: Integer): void {
  const { bytes, files } = sums.get(account) ?? nothing;
  sums.set(account, { bytes: addIntegers(bytes, size), files: addIntegers(files, 1) });
}
