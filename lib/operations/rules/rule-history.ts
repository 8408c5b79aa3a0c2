import type { DidKey } from '../../contract/schemas/did.ts';
import type { RuleHistoryLine } from '../../contract/schemas/rule.ts';
import { rowsOfDid } from '../../domain/dids/rows-of-did.ts';
import { byName, type Page, type Placed, placed, sliceOf, wholeList } from '../../domain/paging/page.ts';
import { readRuleId } from '../../domain/rules/find-rule.ts';
import type { Context } from '../../domain/values/context.ts';
import { isValidDid } from '../../domain/values/did-names.ts';
import { stateOfRule } from '../../domain/values/rule-state.ts';
import { mergeSorted } from '../../rows/merge-sorted.ts';
import type { Table } from '../../store/batches/table.ts';
import { listPastRules, type PastRule } from '../../store/entities/past-rule.ts';
import { getRule, listRulesOf, type Rule } from '../../store/entities/rule.ts';
import { formatDate } from '../../time.ts';

/** A present or past rule. */
type Entry = Omit<PastRule, 'endedAt' | 'state'> & {
  readonly state: RuleHistoryLine['state'];
  readonly endedAt?: number;
};

/**
 * Lists the rules that a DID has or had, in order of creation: a line for the start of each and one for its end
 * (spec/replication.md 2.10). Only the last state of a past rule is stored, so both of its lines show that. A deleted
 * DID has a history, too.
 *
 * @throws DataIdentifierNotFound (404) if there is neither a history nor a DID.
 */
export function listRuleHistory(
  { store: { table } }: Context,
  did: DidKey,
  page: Page = wholeList,
): AsyncGenerator<Placed<RuleHistoryLine>> {
  return rowsOfDid(table, did, listHistory(table, did, page));
}

async function* listHistory(table: Table, did: DidKey, page: Page): AsyncGenerator<Placed<RuleHistoryLine>> {
  if (!isValidDid(did)) return;
  const [createdAt, id = '', line = ''] = page.after ?? [];
  const resumed = createdAt === undefined ? undefined : { createdAt: Number(createdAt), id };
  // Read the rule of the last line again: the line of its end may be on this page.
  const after = resumed === undefined ? undefined : { ...resumed, createdAt: resumed.createdAt - 1, id: '~' };
  const past = pastEntries(table, did, sliceOf(page, after));
  for await (const entry of mergeSorted([past, presentEntries(table, did)], sortKeyOf)) {
    const isResumed = resumed !== undefined && sortKeyOf(entry) === sortKeyOf(resumed);
    if (resumed !== undefined && sortKeyOf(entry) < sortKeyOf(resumed)) continue;
    const position = [String(entry.createdAt), entry.id] as const;
    if (!isResumed) yield placed(describe(entry, entry.createdAt), ...position, 'begin');
    if (entry.endedAt !== undefined && !(isResumed && line === 'end')) {
      yield placed(describe(entry, entry.endedAt), ...position, 'end');
    }
  }
}

/**
 * Lists the present state of a rule as a single line; empty if there is no such rule (spec/replication.md 2.10).
 *
 * @throws RucioException (400) for a malformed id.
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
  yield* rules.map(toEntry).toSorted((a, b) => (sortKeyOf(a) < sortKeyOf(b) ? -1 : 1));
}

function toEntry(rule: Rule): Entry {
  return { ...rule, state: stateOfRule(rule) };
}

/** The sort key of a rule in the order of creation. */
function sortKeyOf({ createdAt, id }: Pick<Rule, 'createdAt' | 'id'>): string {
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
