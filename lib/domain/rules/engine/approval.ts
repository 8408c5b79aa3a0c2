import { fail } from '../../../errors.ts';
import { asCollection, type Did } from '../../../store/entities/did.ts';
import type { Rse } from '../../../store/entities/rse.ts';

/**
 * Whether a rule that asks for approval is approved automatically: its DID is closed, and smaller than the limits that
 * its only RSE sets (spec/replication.md 2.7).
 *
 * @param rses All RSEs of its expression.
 * @throws InvalidReplicationRule (409) if the expression matches several RSEs.
 */
export function isAutoApproved(did: Did, rses: readonly Rse[]): boolean {
  const [rse] = rses;
  requireSingleRse(rses);
  const collection = asCollection(did);
  if (rse === undefined || collection?.open !== false) return false;
  const { bytes = 0, length = 0 } = collection;
  const [maxBytes, maxFiles] = [limitOf(rse, 'auto_approve_bytes'), limitOf(rse, 'auto_approve_files')];
  if (maxBytes === undefined && maxFiles === undefined) return false;
  return (maxBytes === undefined || bytes < maxBytes) && (maxFiles === undefined || length < maxFiles);
}

/**
 * Requires a single RSE: Rucio has no approval for rules on several.
 *
 * @throws InvalidReplicationRule (409).
 */
export function requireSingleRse(rses: readonly Rse[]): void {
  if (rses.length > 1) fail('InvalidReplicationRule', 'Ask approval is not allowed for rules with multiple RSEs');
}

function limitOf({ attributes }: Rse, key: string): number | undefined {
  const value = Object.hasOwn(attributes, key) ? Number(attributes[key]) : Number.NaN;
  return Number.isNaN(value) ? undefined : value;
}
