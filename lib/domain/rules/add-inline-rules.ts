import type { DidKey, DidType, InlineRule } from '../../contract/schemas/did.ts';
import { RucioError } from '../../errors.ts';
import { toJson } from '../../json.ts';
import type { Table } from '../../store/batches/table.ts';
import { insertDatasetLock } from '../../store/entities/dataset-lock.ts';
import type { Write } from '../../store/items/plan.ts';
import { resolveExpression } from '../rse-expression/resolve-expression.ts';
import type { Context } from '../values/context.ts';
import { requireSingleRse } from './engine/approval.ts';
import { checkTerms, withTerms } from './engine/check-terms.ts';
import { planNewRule } from './engine/plan-new-rule.ts';
import { sumUnit } from './engine/unit.ts';
import { buildRule, duplicateRule } from './new-rule.ts';

/** A collection that is being created, with its rules. */
export interface RuledCollection extends DidKey {
  readonly type: DidType;
  readonly rules?: readonly InlineRule[] | null | undefined;
  readonly dids?: readonly unknown[] | null | undefined;
}

/**
 * The writes that create the rules of a new collection together with it. On an empty collection they are OK at once;
 * otherwise a task places them (spec/dids.md 2.2 step 9).
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
  // The metadata of a rule may be any JSON, so it is stored as text.
  const text = meta === undefined ? {} : { meta: toJson(meta) };
  const draft = buildRule(collection, { ...wish, ...text, account }, now);
  const asksApproval = ask_approval === true;
  const checked = await checkTerms(table, { ...draft, asksApproval });
  const { selector } = checked;
  const rule = withTerms(draft, checked);
  if (asksApproval) {
    requireSingleRse(await resolveExpression(table, rule.rseExpression));
    return planNewRule({ ...rule, status: 'WAITING_APPROVAL' }, duplicate, now);
  }
  const delay = delay_injection ?? 0;
  const isLater = asynchronous === true || delay !== 0;
  if (isLater || (collection.dids ?? []).length > 0) {
    return planNewRule({ ...rule, createdAt: rule.createdAt + Math.max(0, delay) * 1_000 }, duplicate, now);
  }
  const { did, id } = rule;
  const isLocking = collection.type === 'DATASET' && rule.grouping !== 'NONE';
  const rseIds = isLocking ? selector.select(sumUnit([]), { inOrder: false }) : [];
  return [
    ...planNewRule({ ...rule, status: 'ACTIVE' }, duplicate, now),
    ...rseIds.map((rseId) => insertDatasetLock({ did, ruleId: id, rseId, createdAt: now })),
  ];
}

function duplicate(): RucioError {
  return new RucioError('DuplicateRule', duplicateRule);
}
