import { authorize } from '../../domain/permission/authorize.ts';
import { failRuleNotFound, readRuleId } from '../../domain/rules/find-rule.ts';
import { withoutFinishedChild } from '../../domain/rules/life-cycle/parent-rules.ts';
import { patchRule } from '../../domain/rules/patch-rule.ts';
import { rsesOfRule } from '../../domain/rules/rses-of-rule.ts';
import type { Context } from '../../domain/values/context.ts';
import { fail } from '../../errors.ts';
import { getRule, type Rule } from '../../store/entities/rule.ts';

/** Delay before a deleted rule is removed. */
const deletionDelayMs = 3_600_000;

/**
 * Lets a rule expire within an hour; until then it stays unchanged (spec/replication.md 2.5). Idempotent.
 *
 * @param purgeReplicas Whether its replicas may then be deleted at once; undefined: as set on the rule.
 * @throws AccessDenied (401); RucioException (400) for a malformed id; RuleNotFound (404); UnsupportedOperation (409)
 *   for a locked rule, and for one that waits for a child rule.
 */
export async function deleteRuleById(context: Context, text: string, purgeReplicas?: boolean | null): Promise<void> {
  const { store, now } = context;
  const id = readRuleId(text);
  await store.write(async (latest) => {
    const found = await getRule(latest, id);
    await authorize(context, 'del_rule', {
      account: found?.account,
      rses: () => rsesOfRule(context.store.table, found),
    });
    if (found === undefined) failRuleNotFound(text);
    if (found.removing === true) return [];
    const rule = await withoutFinishedChild(latest.latest(), found);
    requireRemovable(rule);
    const expiresAt = Math.min(rule.expiresAt ?? Number.POSITIVE_INFINITY, now + deletionDelayMs);
    const { purgeReplicas: present, ...kept } = rule;
    const purges = purgeReplicas ?? present;
    return patchRule(found, { ...kept, expiresAt, ...(purges === true ? { purgeReplicas: true } : {}) }, now);
  });
}

/**
 * @throws UnsupportedOperation (409) for a locked rule, and for one that waits for a child rule (spec/replication.md
 *   2.5).
 */
export function requireRemovable({ locked, childRuleId }: Rule): void {
  if (locked === true) {
    fail('UnsupportedOperation', 'The replication rule is locked and has to be unlocked before it can be deleted.');
  }
  if (childRuleId !== undefined) {
    fail('UnsupportedOperation', 'The replication rule has a child rule and thus cannot be deleted.');
  }
}
