import type { DidKey } from '../../contract/schemas/did.ts';
import { failDisabled, recallRse } from '../../domain/rses/find-rse.ts';
import { noProtocol, type Purpose, suitableProtocols } from '../../domain/rses/pfn/choose.ts';
import { pfnBy } from '../../domain/rses/pfn/lfn-to-pfn.ts';
import { isDomain, isOperation } from '../../domain/rses/protocols/priorities.ts';
import type { Context } from '../../domain/values/context.ts';
import { formatDid } from '../../domain/values/format-did.ts';
import { isValidDid } from '../../domain/values/names.ts';
import { fail } from '../../errors.ts';
import type { Table } from '../../store/batches/table.ts';
import { getDids } from '../../store/entities/did.ts';
import type { Rse } from '../../store/entities/rse.ts';

/** What PFNs are asked for, as the query says it. */
interface Wish {
  /** As `scope:name`. */
  readonly lfn: readonly string[];
  /** Schemes, by commas. */
  readonly scheme?: string | undefined;
  readonly domain: string;
  readonly operation: string;
}

/**
 * The PFNs of files on an RSE, all by the one protocol that serves the purpose best (spec/rses.md 6.3). On a
 * deterministic RSE nobody asks whether there are such files.
 *
 * @returns PFNs by `scope:name`.
 * @throws InvalidPath (400) for what is no LFN; InvalidObject (400) when the RSE names an unknown algorithm; RSENotFound,
 *   RSEOperationNotSupported, RSEProtocolDomainNotSupported, RSEProtocolNotSupported, ReplicaNotFound (404).
 */
export async function lfnsToPfns({ store }: Context, name: string, wish: Wish): Promise<Record<string, string>> {
  const files = readLfns(wish.lfn);
  const rse = await recallRse(store.table, name);
  if (rse.deletedAt !== undefined) failDisabled(rse.id);
  const purpose = readPurpose(wish);
  const [protocol] = suitableProtocols(rse, purpose);
  if (protocol === undefined) throw noProtocol(rse, purpose);

  const paths = rse.deterministic ? undefined : await storedPaths(store.table, rse, files);
  const pfns = files.flatMap((file) => {
    const pfn = pfnBy(rse, protocol, file, paths?.get(formatDid(file)));
    return pfn === undefined ? [] : [[formatDid(file), pfn] as const];
  });
  if (pfns.length === 0) fail('ReplicaNotFound', 'No replicas found');
  return Object.fromEntries(pfns);
}

function readLfns(lfns: readonly string[]): DidKey[] {
  const bad = lfns.filter((lfn) => !lfn.includes(':'));
  if (bad.length > 0) fail('InvalidPath', `LFN(s) in invalid format: ${bad.join(', ')}`);
  return lfns.map((lfn) => {
    const colon = lfn.indexOf(':');
    return { scope: lfn.slice(0, colon), name: lfn.slice(colon + 1) };
  });
}

/** Rucio's client knows the domain `ALL`, which is as good as none. */
function readPurpose({ scheme, ...wish }: Wish): Purpose {
  const operation = wish.operation.toLowerCase();
  const domain = wish.domain === 'ALL' ? 'wan' : wish.domain;
  if (!isOperation(operation)) fail('RSEOperationNotSupported', `Operation ${operation} is not supported`);
  if (!isDomain(domain)) fail('RSEProtocolDomainNotSupported', `Domain ${domain} not supported`);
  return { operation, domain, schemes: scheme === undefined || scheme === '' ? [] : scheme.split(',') };
}

async function storedPaths(table: Table, rse: Rse, files: readonly DidKey[]): Promise<Map<string, string | undefined>> {
  const found = await getDids(table, files.filter(isValidDid));
  return new Map(found.map((file) => [formatDid(file), file.replicas.get(rse.id)?.path]));
}
