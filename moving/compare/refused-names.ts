import type { DidKey } from '../../lib/contract/schemas/did.ts';
import { isValidDid } from '../../lib/domain/values/did-names.ts';
import type { Finding } from './finding.ts';
import { textOf } from './source.ts';

/** The member of a row that names a DID in it whose name Dapple refuses. */
export const refusedNameField = 'refused name';

/** The mark of a row about DIDs whose names Dapple refuses; empty if it accepts them. */
export function markRefused(...dids: readonly DidKey[]): Readonly<Record<string, string>> {
  const refused = dids.find((did) => !isValidDid(did));
  return refused === undefined ? {} : { [refusedNameField]: `${refused.scope}:${refused.name}` };
}

/** The replicas that only the left server has, since Dapple refuses the names of their files: they explain its usage. */
export class RefusedReplicas {
  readonly #byRse = new Map<string, { files: bigint; bytes: bigint }>();

  /** Counts a finding about a replica. */
  add(finding: Finding): void {
    if (finding.kind !== 'decided') return;
    const row = finding.fields.find(({ field }) => field === refusedNameField)?.left;
    if (typeof row !== 'object' || row === null) return;
    const rse = finding.key.slice(finding.key.lastIndexOf(' @ ') + ' @ '.length);
    const { files, bytes } = this.#byRse.get(rse) ?? { files: 0n, bytes: 0n };
    const own = BigInt(textOf((row as Readonly<Record<string, unknown>>)['bytes']) || 0);
    this.#byRse.set(rse, { files: files + 1n, bytes: bytes + own });
  }

  /** Whether a difference in the usage of an RSE is exactly that of these replicas. */
  explains(rse: string, field: string, left: unknown, right: unknown): boolean {
    const refused = this.#byRse.get(rse);
    if (refused === undefined || !isNumber(left) || !isNumber(right)) return false;
    return BigInt(left) - BigInt(right) === (field === 'files' ? refused.files : refused.bytes);
  }
}

const isNumber = (value: unknown): value is number | bigint => typeof value === 'bigint' || Number.isInteger(value);
