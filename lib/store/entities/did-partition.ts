import type { DidKey } from '../../contract/schemas/did.ts';
import type { Table } from '../batches/table.ts';
import type { Change } from '../items/plan.ts';
import { didKeys } from '../keys/did-keys.ts';
import type { Key } from '../keys/key-parts.ts';
import { ruleKeys } from '../keys/rule-keys.ts';
import { type Edge, toEdge } from './edge.ts';

/** What hangs on a DID and goes with it; its history stays, and dataset locks go with their rules. */
export interface Hangers {
  /** Its content, or the constituents of an archive. */
  readonly edges: readonly Edge[];
  /** The rules on it. */
  readonly ruleIds: readonly string[];
  /** Followers. */
  readonly others: readonly Key[];
}

/** What stays, goes with something else, or by itself. */
const keeping = [didKeys.histories, didKeys.nestings, ruleKeys.pasts, ruleKeys.datasetLocks];

/** What hangs on a DID; strongly consistent. */
export async function readHangers(table: Table, did: DidKey): Promise<Hangers> {
  const edges: Edge[] = [];
  const ruleIds: string[] = [];
  const others: Key[] = [];
  for await (const item of table.query({ pk: didKeys.partition(did) })) {
    const { PK, SK } = item;
    if (isWithin(SK, didKeys.children)) edges.push(toEdge(item));
    else if (isWithin(SK, ruleKeys.pointers)) ruleIds.push(String(item['id']));
    else if (!keeping.some((range) => isWithin(SK, range))) others.push({ PK, SK });
  }
  return { edges, ruleIds, others };
}

/** The write that removes a follower. */
export function deleteHanger(key: Key, onMissing: () => Error): Change {
  return { kind: 'change', key, patch: { delete: true }, onMismatch: onMissing };
}

function isWithin(key: string, { from, to }: { readonly from: string; readonly to: string }): boolean {
  return key >= from && key <= to;
}
