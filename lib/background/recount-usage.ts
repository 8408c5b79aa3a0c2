import { listAccountChunks } from '../domain/accounts/list-account-chunks.ts';
import { addIntegers, type Integer, negate } from '../integer.ts';
import { splitIntoChunks } from '../rows/split-into-chunks.ts';
import type { Table } from '../store/batches/table.ts';
import { getAccountUsages, insertAccountUsageDifference } from '../store/entities/account-usage.ts';
import { getFiles } from '../store/entities/did.ts';
import { listRseContent } from '../store/entities/rse-content.ts';
import { getOwnUsage, insertRseUsageDifference } from '../store/entities/rse-usage.ts';
import { listRses, type Rse } from '../store/entities/rse.ts';
import type { UsageDifference } from '../store/entities/usage-difference.ts';
import type { Store } from '../store/open-store.ts';
import { shards } from '../store/values/shards.ts';

/** The result for one sum. */
export interface Recounted {
  readonly rse: string;
  /** Absent: this is the usage of the RSE itself. */
  readonly account?: string;
  readonly recorded: UsageDifference;
  readonly counted: UsageDifference;
  /** `restless`: it changed during every count, so it could not be verified. */
  readonly verdict: 'right' | 'wrong' | 'repaired' | 'restless';
}

/** Which RSEs are counted, and whether wrong sums are repaired. */
interface RecountOptions {
  /** Names of RSEs; absent: all, including disabled ones. */
  readonly rses?: readonly string[];
  readonly repair?: boolean;
}

/** Files per read; all shards are read in parallel. */
const filesPerRead = 100;

/** The most attempts to count an RSE that changes meanwhile. */
const maxAttempts = 3;

/**
 * Recounts the usage of RSEs and of accounts on them from the replicas and their locks, and compares it with the
 * recorded sums. Yields one result for each RSE, and one for each account with usage or with a wrong sum. Tolerates
 * concurrent writes, and can be stopped and repeated at any time.
 *
 * Costs a read unit for each replica, and some for each pair of account and RSE. Memory grows with the accounts, not
 * with the files.
 *
 * @param store A new view of it is opened for each RSE.
 * @throws AggregateError at the end if some RSEs could not be counted; the others were.
 */
export async function* recountUsage(store: Store, { rses, repair = false }: RecountOptions = {}) {
  const failures: Error[] = [];
  for await (const rse of listRses(store.begin().table)) {
    if (rses !== undefined && !rses.includes(rse.rse)) continue;
    try {
      yield* recountRse(store, rse, repair);
    } catch (error) {
      failures.push(new Error(`${rse.rse} could not be counted: ${String(error)}`, { cause: error }));
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, failures.map(({ message }) => message).join('\n'));
}

async function* recountRse(store: Store, rse: Rse, repair: boolean): AsyncGenerator<Recounted> {
  let unsettled: ReadonlySet<string> | undefined;
  for (let attempt = 1; unsettled === undefined || (unsettled.size > 0 && attempt <= maxAttempts); attempt += 1) {
    // Records have a version: if it is the same before and after the count, nothing changed in between.
    const before = await readRecords(store.begin().table, rse.id);
    const counted = await countRse(store.begin().table, rse.id);
    const after = await readRecords(store.begin().table, rse.id);
    const changed = new Set<string>();
    for (const account of new Set([...after.keys(), ...counted.keys()])) {
      if (unsettled !== undefined && !unsettled.has(account)) continue;
      const recorded = after.get(account) ?? zeroUsage;
      const isSettled = (before.get(account) ?? zeroUsage).version === recorded.version;
      if (!isSettled && attempt < maxAttempts) changed.add(account);
      else {
        const found = counted.get(account) ?? zeroUsage;
        const verdict = isSettled
          ? await compareAndRepair(store, { rse, account, recorded, found, repair })
          : 'restless';
        yield describe(rse, account, recorded, found, verdict);
      }
    }
    unsettled = changed;
  }
}

interface Comparison {
  readonly rse: Rse;
  readonly account: string;
  readonly recorded: UsageDifference;
  readonly found: UsageDifference;
  readonly repair: boolean;
}

/** Repairs by one more usage difference, which is commutative with concurrent ones. */
async function compareAndRepair(store: Store, { rse, account, recorded, found, repair }: Comparison) {
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

/** The key for the RSE itself; no account has this name. */
const rseItself = '';

const zeroUsage = { bytes: 0, files: 0, version: 0 };

type Sums = Map<string, UsageDifference>;

function describe(
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

/** The recorded usage of an RSE, and of all accounts on it. */
async function readRecords(table: Table, rseId: string) {
  const records = new Map([[rseItself, await getOwnUsage(table, rseId)]]);
  for await (const accounts of listAccountChunks(table)) {
    for (const [account, usage] of await getAccountUsages(table, accounts, rseId)) records.set(account, usage);
  }
  return records;
}

/** Counts the replicas on an RSE, and the locks charged to accounts. */
async function countRse(table: Table, rseId: string): Promise<Sums> {
  const sums: Sums = new Map([[rseItself, { bytes: 0, files: 0 }]]);
  await Promise.all(shards.map((shard) => countShard(table, rseId, shard, sums)));
  return sums;
}

async function countShard(table: Table, rseId: string, shard: number, sums: Sums): Promise<void> {
  for await (const chunk of splitIntoChunks(listRseContent(table, rseId, shard), filesPerRead)) {
    for (const { bytes = 0, replicas } of await getFiles(table, chunk)) {
      const replica = replicas.get(rseId);
      if (replica === undefined) continue;
      addFile(sums, rseItself, bytes);
      for (const { account } of Object.values(replica.locks ?? {})) addFile(sums, account, bytes);
    }
  }
}

function addFile(sums: Sums, account: string, size: Integer): void {
  const { bytes, files } = sums.get(account) ?? zeroUsage;
  sums.set(account, { bytes: addIntegers(bytes, size), files: addIntegers(files, 1) });
}
