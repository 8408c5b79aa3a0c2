import { fail } from '../../../errors.ts';
import type { Did } from '../../../store/entities/did.ts';
import type { Rse } from '../../../store/entities/rse.ts';

/**
 * Whether a rule that asks for approval has it at once: on what is closed, and small enough for its one RSE
 * (spec/replication.md 2.7).
 *
 * @param rses All RSEs of its expression.
 * @throws InvalidReplicationRule (409) when there are several.
 */
export function isApproved({ type, open, bytes = 0, length = 0 }: Did, rses: readonly Rse[]): boolean {
  const [rse] = rses;
  refuseSeveral(rses);
  if (rse === undefined || type === 'FILE' || open !== false) return false;
  const [mostBytes, mostFiles] = [limitOf(rse, 'auto_approve_bytes'), limitOf(rse, 'auto_approve_files')];
  if (mostBytes === undefined && mostFiles === undefined) return false;
  return (mostBytes === undefined || bytes < mostBytes) && (mostFiles === undefined || length < mostFiles);
}

/**
 * Refuses to ask for approval of a rule that can be placed on several RSEs.
 *
 * @throws InvalidReplicationRule (409).
 */
export function refuseSeveral(rses: readonly Rse[]): void {
  if (rses.length > 1) fail('InvalidReplicationRule', 'Ask approval is not allowed for rules with multiple RSEs');
}

function limitOf({ attributes }: Rse, key: string): number | undefined {
  const value = Object.hasOwn(attributes, key) ? Number(attributes[key]) : Number.NaN;
  return Number.isNaN(value) ? undefined : value;
}
