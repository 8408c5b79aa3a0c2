import { fail } from '../../../errors.ts';
import type { Table } from '../../../store/batches/table.ts';
import type { Rse } from '../../../store/entities/rse.ts';
import type { NewRule } from '../../../store/entities/rule.ts';
import { endInTime, findLongestLife } from '../../values/longest-life.ts';
import { createFirstSelector, createSelector, findSources, findTargets, type Quota, type Target } from './rule-rses.ts';
import type { Selector } from './selector.ts';

/** Result of the checks of rule terms. */
export interface VerifiedTerms {
  /** The usable RSEs of the expression. */
  readonly rses: readonly Rse[];
  readonly sources: ReadonlySet<string> | undefined;
  readonly selector: Selector;
  /** Whether the rule must be locked: it keeps replicas on tape without an end. */
  readonly isLocked: boolean;
  /** The longest lifetime that {@link findLongestLife} allows. */
  readonly longestLife: number | undefined;
}

/** The terms of a rule that do not depend on its DID. */
export interface RuleTerms extends Target, Quota, Pick<NewRule, 'sourceReplicaExpression' | 'expiresAt' | 'locked'> {
  readonly asksApproval: boolean;
  /** A standing order makes the rule, a subscription: it goes on whatever becomes of its account. */
  readonly isStanding?: boolean;
}

/**
 * Checks the terms of a rule that do not depend on its DID, in Rucio's order (spec/replication.md 2.3, its steps 4 to 9).
 *
 * @throws InvalidRSEExpression, InvalidObject (400), RSEWriteBlocked, StagingAreaRuleRequiresLifetime,
 *   ManualRuleApprovalBlocked, InvalidSourceReplicaExpression, InvalidRuleWeight, InsufficientTargetRSEs,
 *   InsufficientAccountLimit (409); AccountNotFound (404).
 */
export async function checkTerms(table: Table, terms: RuleTerms): Promise<VerifiedTerms> {
  const { locked, asksApproval } = terms;
  const rses = await findTargets(table, terms);
  const longestLife = findLongestLife(rses);
  const ending = endInTime(terms, longestLife, 0);
  requireLifetime(rses, ending);
  if (asksApproval && rses.some(blocksApproval)) {
    fail('ManualRuleApprovalBlocked', 'Manual rule approval is blocked on this RSE.');
  }
  const sources = await findSources(table, terms);
  const selectorOf = terms.isStanding === true ? createSelector : createFirstSelector;
  const selector = await selectorOf(table, rses, {
    ...terms,
    ignoreAccountLimit: asksApproval || terms.ignoreAccountLimit === true,
  });
  const isOnTape = ending.expiresAt === undefined && rses.some(({ rseType }) => rseType === 'TAPE');
  return { rses, sources, selector, isLocked: locked === true || isOnTape, longestLife };
}

/** A rule as the checked terms have it: locked where it has to be, and with an end in time. */
export function withTerms<R extends NewRule>(rule: R, { isLocked, longestLife }: AppliedTerms): R {
  return { ...endInTime(rule, longestLife, rule.createdAt), ...(isLocked ? { locked: true } : {}) };
}

type AppliedTerms = Pick<VerifiedTerms, 'isLocked' | 'longestLife'>;

/** @throws StagingAreaRuleRequiresLifetime (409) for a rule without an end if one of its RSEs is a staging area. */
export function requireLifetime(
  rses: readonly Pick<Rse, 'stagingArea'>[],
  { expiresAt }: Pick<RuleTerms, 'expiresAt'>,
): void {
  if (expiresAt !== undefined || !rses.some(({ stagingArea }) => stagingArea)) return;
  fail('StagingAreaRuleRequiresLifetime', 'Rules for a staging area must include a lifetime');
}

function blocksApproval({ attributes }: Rse): boolean {
  const value = Object.hasOwn(attributes, 'block_manual_approval') ? attributes['block_manual_approval'] : false;
  return value !== false && value !== null && value !== '';
}
