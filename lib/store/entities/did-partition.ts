import type { DidKey } from '../../contract/schemas/did.ts';
import type { Table } from '../batches/table.ts';
import type { Change } from '../items/plan.ts';
import { didKeys } from '../keys/did-keys.ts';
import type { Key } from '../keys/key-parts.ts';
import { opendataKeys } from '../keys/opendata-keys.ts';
import { ruleKeys } from '../keys/rule-keys.ts';
import { type Edge, toEdge } from './edge.ts';

/** The items that are deleted with a DID. Its history stays or expires, and dataset locks are deleted with their rules. */
export interface DidDependents {
  /** Its content, or the constituents of an archive. */
  readonly edges: readonly Edge[];
  /** The rules on it. */
  readonly ruleIds: readonly string[];
  /** The keys of its followers. */
  readonly followers: readonly Key[];
  /** Whether it has an entry of open data. */
  readonly isOpendata: boolean;
}

/** The dependents of a DID; strongly consistent. */
export async function getDidDependents(table: Table, did: DidKey): Promise<DidDependents> {
  const edges: Edge[] = [];
  const ruleIds: string[] = [];
  const followers: Key[] = [];
  let isOpendata = false;
  for await (const item of table.query({ pk: didKeys.partition(did) })) {
    const { PK, SK } = item;
    if (isWithin(SK, didKeys.children)) edges.push(toEdge(item));
    else if (isWithin(SK, ruleKeys.pointers)) ruleIds.push(String(item['id']));
    else if (isWithin(SK, didKeys.followers)) followers.push({ PK, SK });
    else if (SK === opendataKeys.entry(did).SK) isOpendata = true;
  }
  return { edges, ruleIds, followers, isOpendata };
}

/** The write that removes a follower. */
export function deleteFollowerByKey(key: Key, onMissing: () => Error): Change {
  return { kind: 'change', key, patch: { delete: true }, onMismatch: onMissing };
}

function isWithin(key: string, { from, to }: { readonly from: string; readonly to: string }): boolean {
  return key >= from && key <= to;
}
