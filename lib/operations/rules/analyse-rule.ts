import type { RuleAnalysis } from '../../contract/schemas/rule.ts';
import { ReplicaState } from '../../contract/schemas/states.ts';
import { missingSource } from '../../domain/locks/lock-updates.ts';
import { listFilesOfRule } from '../../domain/rules/files-of-rule.ts';
import { findRule } from '../../domain/rules/find-rule.ts';
import type { Context } from '../../domain/values/context.ts';
import { effectiveState } from '../../domain/values/replica-state.ts';
import { stateOfRule } from '../../domain/values/rule-state.ts';
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

/** Stuck locks in an answer, which is held in memory as a whole. */
const maxTransfers = 1_000;

/** Files that are read for an answer: no index leads to the stuck locks, and there may be one in a million files. */
export const maxFiles = 2_000;

/**
 * Tells why a rule is not OK: its error, and the first of its stuck locks, with the attempts to copy that failed
 * (spec/replication.md 2.9). If not all files were looked at, the error says so.
 *
 * @throws RucioException (400) for a malformed id; RuleNotFound (404).
 */
export async function analyseRule({ store: { table }, now }: Context, text: string): Promise<RuleAnalysis> {
  const rule = await findRule(table, text);
  const verdict = verdicts.get(stateOfRule(rule));
  if (verdict !== undefined) return { rule_error: verdict, transfers: [] };
  const transfers: RuleAnalysis['transfers'] = [];
  let cause = rule.error ?? null;
  if (rule.stuck > 0) {
    let files = 0;
    const fleet = await getFleet(table);
    for await (const file of listFilesOfRule(table, rule)) {
      const stuck = locksOn(file, rule.id, fleet).filter(({ state }) => state === 'STUCK');
      for (const { scope, name, rse_id, rse } of stuck) {
        const sources = sourcesOf(file, fleet, now);
        const attempts = describeAttempts(file.replicas.get(rse_id), fleet, sources.length > 0);
        transfers.push({ scope, name, rse_id, rse, ...attempts, sources });
      }
      files += 1;
      if (transfers.length >= Math.min(rule.stuck, maxTransfers)) break;
      if (files === maxFiles) {
        cause = `${cause ?? 'Some locks are stuck'} (only the first ${files} files of the rule were looked at)`;
        break;
      }
    }
  }
  return { rule_error: cause, transfers };
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
