import type { DidKey, DidType, InlineRule } from '../../contract/schemas/did.ts';
import { RucioError } from '../../errors.ts';
import { toJson } from '../../json.ts';
import type { Table } from '../../store/batches/table.ts';
import { insertDatasetLock } from '../../store/entities/dataset-lock.ts';
import type { Write } from '../../store/items/plan.ts';
import { resolveExpression } from '../rse-expression/resolve.ts';
import type { Context } from '../values/context.ts';
import { refuseSeveral } from './engine/approval.ts';
import { makeRule } from './engine/make-rule.ts';
import { checkTerms } from './engine/rule-checks.ts';
import { unitOf } from './engine/unit.ts';
import { duplicateRule, newRule } from './new-rule.ts';

/** A collection that is about to be made. */
export interface RuledCollection extends DidKey {
  readonly type: DidType;
  readonly rules?: readonly InlineRule[] | null | undefined;
  readonly dids?: readonly unknown[] | null | undefined;
}

/**
 * The writes that make the rules of a collection together with it: on an empty one they are OK at once, elsewhere a task
 * places them (spec/dids.md 2.2 step 9).
 *
 * @throws DuplicateRule, InvalidReplicationRule (409); what {@link checkTerms} throws.
 */
export async function planInlineRules(context: Context, latest: Table, collection: RuledCollection): Promise<Write[]> {
  const writes: Write[] = [];
  const seen = new Set<string>();
  for (const wish of collection.rules ?? []) {
    const key = JSON.stringify([wish.account ?? context.issuer.account, wish.rse_expression, wish.copies]);
    if (seen.has(key)) throw duplicate();
    seen.add(key);
    writes.push(...(await planRule(context, latest, collection, wish)));
  }
  return writes;
}

async function planRule(context: Context, latest: Table, collection: RuledCollection, inline: InlineRule) {
  const { now, issuer } = context;
  const { meta, account = issuer.account, ask_approval, asynchronous, delay_injection, ...wish } = inline;
  const table = latest.latest();
  // Any JSON may be the metadata of a rule; as text it fits into the table.
  const text = meta === undefined ? {} : { meta: toJson(meta) };
  const fresh = newRule(collection, { ...wish, ...text, account }, now);
  const asksApproval = ask_approval === true;
  const { selector, isLocked } = await checkTerms(table, { ...fresh, asksApproval });
  const rule = { ...fresh, ...(isLocked ? { locked: true } : {}) };
  if (asksApproval) {
    refuseSeveral(await resolveExpression(table, rule.rseExpression));
    return makeRule({ ...rule, status: 'WAITING_APPROVAL' }, duplicate, now);
  }
  const delay = delay_injection ?? 0;
  const isLater = asynchronous === true || delay !== 0;
  if (isLater || (collection.dids ?? []).length > 0) {
    return makeRule({ ...rule, createdAt: rule.createdAt + Math.max(0, delay) * 1_000 }, duplicate, now);
  }
  const { did, id } = rule;
  const isLocking = collection.type === 'DATASET' && rule.grouping !== 'NONE';
  const rseIds = isLocking ? selector.select(unitOf([]), { inOrder: false }) : [];
  return [
    ...makeRule({ ...rule, status: 'ACTIVE' }, duplicate, now),
    ...rseIds.map((rseId) => insertDatasetLock({ did, ruleId: id, rseId, createdAt: now })),
  ];
}

function duplicate(): RucioError {
  return new RucioError('DuplicateRule', duplicateRule);
}
