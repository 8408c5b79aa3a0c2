import type { DidKey } from '../../contract/schemas/did.ts';
import type { Table } from '../batches/table.ts';
import type { Change } from '../items/plan.ts';
import { didKeys } from '../keys/did-keys.ts';
import type { Key } from '../keys/key-parts.ts';
import { ruleKeys } from '../keys/rule-keys.ts';
import { type Edge, toEdge } from './edge.ts';

/** The items that are deleted with a DID. Its history stays, and dataset locks are deleted with their rules. */
export interface DidDependents {
  /** Its content, or the constituents of an archive. */
  readonly edges: readonly Edge[];
  /** The rules on it. */
  readonly ruleIds: readonly string[];
  /** The keys of its followers. */
  readonly followers: readonly Key[];
}

/** The items that stay, expire, or are deleted with a rule. */
const keptRanges = [didKeys.histories, didKeys.nestings, ruleKeys.pasts, ruleKeys.datasetLocks];

/** The dependents of a DID; strongly consistent. */
export async function getDidDependents(table: Table, did: DidKey): Promise<DidDependents> {
  const edges: Edge[] = [];
  const ruleIds: string[] = [];
  const followers: Key[] = [];
  for await (const item of table.query({ pk: didKeys.partition(did) })) {
    const { PK, SK } = item;
    if (isWithin(SK, didKeys.children)) edges.push(toEdge(item));
    else if (isWithin(SK, ruleKeys.pointers)) ruleIds.push(String(item['id']));
    else if (!keptRanges.some((range) => isWithin(SK, range))) followers.push({ PK, SK });
  }
  return { edges, ruleIds, followers };
}

/** The write that removes a follower. */
export function deleteFollowerByKey(key: Key, onMissing: () => Error): Change {
  return { kind: 'change', key, patch: { delete: true }, onMismatch: onMissing };
}

function isWithin(key: string, { from, to }: { readonly from: string; readonly to: string }): boolean {
  return key >= from && key <= to;
}
