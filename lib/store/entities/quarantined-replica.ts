import type { DidKey } from '../../contract/schemas/did.ts';
import type { Table } from '../batches/table.ts';
import { type Insert, LostRace } from '../items/plan.ts';
import { replicaKeys } from '../keys/replica-keys.ts';

/** A file on an RSE that the catalogue does not know (spec/replication.md 1.8). */
export interface QuarantinedReplica {
  readonly path: string;
  /** The DID that it probably is. */
  readonly did?: DidKey;
}

/** The paths that are in quarantine already. */
export async function getQuarantined(table: Table, rseId: string, paths: readonly string[]): Promise<Set<string>> {
  const items = await table.getMany(paths.map((path) => replicaKeys.quarantined(rseId, path)));
  return new Set(items.map((item) => String(item['path'])));
}

/** The write that puts a file in quarantine. */
export function insertQuarantined(rseId: string, { path, did }: QuarantinedReplica, now: number): Insert {
  const { scope, name } = did ?? {};
  const known = did === undefined ? {} : { scope, name };
  const item = { ...replicaKeys.quarantined(rseId, path), path, ...known, createdAt: now };
  return { kind: 'insert', item, onExists: () => new LostRace('a file was put in quarantine concurrently') };
}
