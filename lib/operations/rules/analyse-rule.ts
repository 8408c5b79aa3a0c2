import type { RuleAnalysis } from '../../contract/schemas/rule.ts';
import { filesOfRule } from '../../domain/rules/files-of-rule.ts';
import { findRule } from '../../domain/rules/find-rule.ts';
import type { Context } from '../../domain/values/context.ts';
import { stateOf } from '../../domain/values/replica-states.ts';
import { stateOfRule } from '../../domain/values/rule-state.ts';
import type { Did } from '../../store/entities/did.ts';
import { type Fleet, getFleet } from '../../store/entities/rse-fleet.ts';
import { locksOn } from './locks-of-rule.ts';

/** What is said of rules of which nothing is stuck. */
const verdicts = new Map<string, string>([
  ['OK', 'This replication rule is OK'],
  ['REPLICATING', 'This replication rule is currently REPLICATING'],
  ['SUSPENDED', 'This replication rule is SUSPENDED'],
]);

/** Stuck locks that are shown: an answer of JSON is held in memory as a whole. */
const mostTransfers = 1_000;

/**
 * What keeps a rule from being OK: its error, and the first thousand of its stuck locks (spec/replication.md 2.9).
 * Attempts to copy are not kept, so that none are counted.
 *
 * @throws RucioException (400) for what is no id; RuleNotFound (404).
 */
export async function analyseRule({ store: { table }, now }: Context, text: string): Promise<RuleAnalysis> {
  const rule = await findRule(table, text);
  const verdict = verdicts.get(stateOfRule(rule));
  if (verdict !== undefined) return { rule_error: verdict, transfers: [] };
  const transfers: RuleAnalysis['transfers'] = [];
  if (rule.stuck > 0) {
    const fleet = await getFleet(table);
    for await (const file of filesOfRule(table, rule)) {
      const stuck = locksOn(file, rule.id, fleet).filter(({ state }) => state === 'STUCK');
      for (const { scope, name, rse_id, rse } of stuck) {
        const sources = sourcesOf(file, fleet, now);
        const untried = { attempts: 0, last_error: 'None', last_source: null, last_time: null };
        transfers.push({ scope, name, rse_id, rse, ...untried, sources });
      }
      if (transfers.length >= Math.min(rule.stuck, mostTransfers)) break;
    }
  }
  return { rule_error: rule.error ?? null, transfers };
}

/** Where there is an available replica, and whether it can be read there. */
function sourcesOf(file: Did, { byId }: Fleet, now: number): [string, boolean][] {
  return [...file.replicas].flatMap(([rseId, replica]): [string, boolean][] => {
    const rse = byId.get(rseId);
    return rse === undefined || stateOf(replica, now) !== 'A' ? [] : [[rse.rse, rse.availabilityRead]];
  });
}
