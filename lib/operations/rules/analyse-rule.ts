import type { ReplicaLockLine } from '../../contract/schemas/lock.ts';
import type { RuleAnalysis } from '../../contract/schemas/rule.ts';
import { ReplicaState } from '../../contract/schemas/states.ts';
import { missingSource } from '../../domain/locks/lock-updates.ts';
import { findHindrances } from '../../domain/requests/find-hindrance.ts';
import { listFilesOfRule } from '../../domain/rules/files-of-rule.ts';
import { findRule } from '../../domain/rules/find-rule.ts';
import type { Context } from '../../domain/values/context.ts';
import { formatDid } from '../../domain/values/format-did.ts';
import { effectiveState } from '../../domain/values/replica-state.ts';
import { stateOfRule } from '../../domain/values/rule-state.ts';
import { mapLimited } from '../../parallel.ts';
import { splitIntoChunks } from '../../rows/split-into-chunks.ts';
import type { Table } from '../../store/batches/table.ts';
import type { FileDid, Replica } from '../../store/entities/did.ts';
import { type Fleet, getFleet } from '../../store/entities/rse-fleet.ts';
import { formatOptionalDate } from '../../time.ts';
import { locksOn } from './list-locks-of-rule.ts';

/** The answers for rules without stuck locks. */
const verdicts = new Map<string, string>([
  ['OK', 'This replication rule is OK'],
  ['REPLICATING', 'This replication rule is currently REPLICATING'],
  ['SUSPENDED', 'This replication rule is SUSPENDED'],
]);

/** The most stuck locks in an answer, which is held in memory as a whole. */
const maxTransfers = 1_000;

/** The most files that are read for an answer: no index leads to the stuck locks, and there may be one in a million files. */
export const maxFiles = 2_000;

/** The most files whose requested copies are read: each costs some more reads. */
const maxWaiting = 500;

/** The most RSEs whose copies are looked at in parallel. */
const maxParallelRses = 4;

/** Files whose copies are looked at together. */
const filesPerLook = 100;

/**
 * Tells why a rule is not OK: its error, and the first of its stuck locks, with the attempts to copy that failed
 * (spec/replication.md 2.9). Of locks that are REPLICATING it tells those whose copies something hinders. If not all files were
 * looked at, the error says so.
 *
 * @throws RucioException (400) for a malformed id; RuleNotFound (404).
 */
export async function analyseRule({ store: { table }, now }: Context, text: string): Promise<RuleAnalysis> {
  const rule = await findRule(table, text);
  const state = stateOfRule(rule);
  const verdict = verdicts.get(state);
  const waiting = state === 'SUSPENDED' || state === 'OK' ? 0 : rule.replicating;
  const stuck = verdict === undefined ? rule.stuck : 0;
  if (stuck + waiting === 0) return { rule_error: verdict ?? rule.error ?? null, transfers: [] };
  const fleet = await getFleet(table);
  const transfers: RuleAnalysis['transfers'] = [];
  let [files, left] = [0, stuck];
  for await (const some of splitIntoChunks(listFilesOfRule(table, rule), filesPerLook)) {
    const isPatient = waiting > 0 && files < maxWaiting;
    const reasons = new Map(isPatient ? await findHindered({ table, fleet, now }, some, rule.id) : []);
    for (const file of some) {
      for (const lock of locksOn(file, rule.id, fleet)) {
        const hindrance = reasons.get(keyOf(file, lock.rse_id));
        const isStuck = lock.state === 'STUCK' && stuck > 0;
        if (!isStuck && hindrance === undefined) continue;
        if (isStuck) left -= 1;
        transfers.push(describeLock(file, lock, { fleet, now, hindrance }));
      }
    }
    files += some.length;
    if (transfers.length >= maxTransfers || (left <= 0 && !(waiting > 0 && files < maxWaiting))) break;
    if (files < maxFiles) continue;
    const cause = rule.error ?? 'Some locks are stuck';
    return { rule_error: `${cause} (only the first ${files} files of the rule were looked at)`, transfers };
  }
  return { rule_error: verdict ?? rule.error ?? null, transfers: transfers.slice(0, maxTransfers) };
}

interface Known {
  readonly table: Table;
  readonly fleet: Fleet;
  readonly now: number;
}

const keyOf = (file: FileDid, rseId: string) => `${rseId} ${formatDid(file)}`;

/** Why copies for a rule that are asked for cannot be made at present, by file and RSE. */
async function findHindered(
  { table, fleet, now }: Known,
  files: readonly FileDid[],
  ruleId: string,
): Promise<[string, string][]> {
  const waiting = files.flatMap((file) =>
    locksOn(file, ruleId, fleet).flatMap(({ state, rse_id: rseId }) =>
      state === 'REPLICATING' ? [{ file, rseId }] : [],
    ),
  );
  const byRse = [...Map.groupBy(waiting, ({ rseId }) => rseId)];
  const found = await mapLimited(byRse, maxParallelRses, async ([rseId, some]): Promise<[string, string][]> => {
    const rse = fleet.byId.get(rseId);
    if (rse === undefined) return [];
    const copied = some.map(({ file }) => file);
    return [...(await findHindrances(table, rse, copied, now))].map(([did, reason]) => [`${rseId} ${did}`, reason]);
  });
  return found.flat();
}

interface Described extends Omit<Known, 'table'> {
  /** Why the copy of a lock that is REPLICATING is not made. */
  readonly hindrance: string | undefined;
}

function describeLock(
  file: FileDid,
  { scope, name, rse_id, rse }: ReplicaLockLine,
  { fleet, now, hindrance }: Described,
): RuleAnalysis['transfers'][number] {
  const sources = sourcesOf(file, fleet, now);
  const attempts = describeAttempts(file.replicas.get(rse_id), fleet, sources.length > 0);
  return {
    scope,
    name,
    rse_id,
    rse,
    ...attempts,
    ...(hindrance === undefined ? {} : { last_error: hindrance }),
    sources,
  };
}

/** How copies to a replica failed; `None` is Rucio's text without an error. A bad replica that nothing can replace is lost. */
function describeAttempts(replica: Replica | undefined, { byId }: Fleet, hasSources: boolean) {
  const { failed, state } = replica ?? {};
  const reason = state === ReplicaState.BAD && !hasSources ? missingSource : 'None';
  const { attempts = 0, error = reason, at, sourceId } = failed ?? {};
  const source = sourceId === undefined ? undefined : byId.get(sourceId);
  return { attempts, last_error: error, last_source: source?.rse ?? null, last_time: formatOptionalDate(at) };
}

/** The RSEs with an available replica, and whether they are readable. */
function sourcesOf(file: FileDid, { byId }: Fleet, now: number): [string, boolean][] {
  return [...file.replicas].flatMap(([rseId, replica]): [string, boolean][] => {
    const rse = byId.get(rseId);
    return rse === undefined || effectiveState(replica, now) !== ReplicaState.AVAILABLE
      ? []
      : [[rse.rse, rse.availabilityRead]];
  });
}
