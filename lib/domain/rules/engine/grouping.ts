import type { Did } from '../../../store/entities/did.ts';
import type { NewRule } from '../../../store/entities/rule.ts';

/** Which files share their RSEs: all, those of one dataset, or none (spec/replication.md 3.3). */
export type Grouping = 'all' | 'dataset' | 'file';

/** How a rule groups the files below a DID. */
export function groupingOf({ grouping }: NewRule, { type }: Did): Grouping {
  if (grouping === 'NONE') return 'file';
  return grouping === 'ALL' || type !== 'CONTAINER' ? 'all' : 'dataset';
}

/** The fields that a rule stores of its placement: the RSEs, if all its files form one unit. */
export function getStoredChoice(
  rule: Pick<NewRule, 'grouping' | 'didType'>,
  { rseIds }: { readonly rseIds: readonly string[] | undefined },
): Partial<NewRule> {
  const isOneUnit = rule.grouping === 'ALL' || (rule.grouping === 'DATASET' && rule.didType === 'DATASET');
  return isOneUnit && rule.didType !== 'FILE' && rseIds !== undefined && rseIds.length > 0 ? { rseIds } : {};
}
