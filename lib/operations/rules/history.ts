import type { DidKey } from '../../contract/schemas/did.ts';
import type { RuleHistoryLine } from '../../contract/schemas/rule.ts';
import { byName, type Page, type Placed, placed, sliceOf, wholeList } from '../../domain/paging/page.ts';
import { readRuleId } from '../../domain/rules/find-rule.ts';
import type { Context } from '../../domain/values/context.ts';
import { isValidDid } from '../../domain/values/names.ts';
import { stateOfRule } from '../../domain/values/rule-state.ts';
import { mergeSorted } from '../../store/batches/merge.ts';
import { listPastRules, type PastRule } from '../../store/entities/past-rule.ts';
import { getRule, listRulesOf, type Rule } from '../../store/entities/rule.ts';
import { formatDate } from '../../time.ts';

/** A rule of the present or of the past. */
type Entry = Omit<PastRule, 'endedAt' | 'state'> & {
  readonly state: RuleHistoryLine['state'];
  readonly endedAt?: number;
};

/**
 * The rules that a DID has or had, in order of their creation: a line for the beginning of each and one for its end
 * (spec/replication.md 2.10). What a rule was like between is not kept, so that both lines of one that is gone show what
 * it was like at its end. Of a DID that there is not: what it had.
 */
export async function* listRuleHistory(
  { store: { table } }: Context,
  did: DidKey,
  page: Page = wholeList,
): AsyncGenerator<Placed<RuleHistoryLine>> {
  if (!isValidDid(did)) return;
  const [createdAt, id = '', line = ''] = page.after ?? [];
  const begun = createdAt === undefined ? undefined : { createdAt: Number(createdAt), id };
  // The rule of the last line is read once more: its end may be on the next page.
  const after = begun === undefined ? undefined : { ...begun, createdAt: begun.createdAt - 1, id: '~' };
  const past = pastEntries(table, did, sliceOf(page, after));
  for await (const entry of mergeSorted([past, presentEntries(table, did)], placeOf)) {
    const isBegun = begun !== undefined && placeOf(entry) === placeOf(begun);
    if (begun !== undefined && placeOf(entry) < placeOf(begun)) continue;
    const position = [String(entry.createdAt), entry.id] as const;
    if (!isBegun) yield placed(describe(entry, entry.createdAt), ...position, 'begin');
    if (entry.endedAt !== undefined && !(isBegun && line === 'end')) {
      yield placed(describe(entry, entry.endedAt), ...position, 'end');
    }
  }
}

/**
 * The present state of a rule as a list of one line; without the rule, of none (spec/replication.md 2.10).
 *
 * @throws RucioException (400) for what is no id.
 */
export async function* listHistoryOfRule({ store: { table } }: Context, text: string, page: Page = wholeList) {
  const rule = await getRule(table, readRuleId(text));
  for (const { row, position } of byName(rule === undefined ? [] : [rule], ({ id }) => id, page)) {
    const { updated_at, state, locks_ok_cnt, locks_replicating_cnt, locks_stuck_cnt } = describe(
      toEntry(row),
      row.updatedAt,
    );
    yield { row: { updated_at, state, locks_ok_cnt, locks_replicating_cnt, locks_stuck_cnt }, position };
  }
}

async function* pastEntries(...parameters: Parameters<typeof listPastRules>): AsyncGenerator<Entry> {
  for await (const rule of listPastRules(...parameters)) yield rule as Entry;
}

async function* presentEntries(...[table, did]: Parameters<typeof listRulesOf>): AsyncGenerator<Entry> {
  const rules = await Array.fromAsync(listRulesOf(table, did));
  yield* rules.map(toEntry).toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1));
}

function toEntry(rule: Rule): Entry {
  return { ...rule, state: stateOfRule(rule) };
}

/** Where a rule stands in the order of creation. */
function placeOf({ createdAt, id }: Pick<Rule, 'createdAt' | 'id'>): string {
  return `${String(createdAt).padStart(15, '0')} ${id}`;
}

function describe(entry: Entry, updatedAt: number): RuleHistoryLine {
  return {
    rule_id: entry.id,
    created_at: formatDate(entry.createdAt),
    updated_at: formatDate(updatedAt),
    rse_expression: entry.rseExpression,
    state: entry.state,
    account: entry.account,
    locks_ok_cnt: entry.ok,
    locks_stuck_cnt: entry.stuck,
    locks_replicating_cnt: entry.replicating,
  };
}
