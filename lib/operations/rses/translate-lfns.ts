import type { DidKey } from '../../contract/schemas/did.ts';
import { failRseDisabled, requireCachedRse } from '../../domain/rses/find-rse.ts';
import { noProtocolError, type Purpose, chooseProtocols } from '../../domain/rses/pfn/choose-protocols.ts';
import { computePfn, trimPath } from '../../domain/rses/pfn/lfn-to-pfn.ts';
import { isDomain, isOperation } from '../../domain/rses/protocols/priorities.ts';
import type { Context } from '../../domain/values/context.ts';
import { isValidDid } from '../../domain/values/did-names.ts';
import { formatDid } from '../../domain/values/format-did.ts';
import { fail } from '../../errors.ts';
import type { Table } from '../../store/batches/table.ts';
import { getFiles } from '../../store/entities/did.ts';
import type { Rse } from '../../store/entities/rse.ts';

/** The query parameters of a request for PFNs. */
interface PfnQuery {
  /** As `scope:name`. */
  readonly lfn: readonly string[];
  /** Schemes, separated by commas. */
  readonly scheme?: string | undefined;
  readonly domain: string;
  readonly operation: string;
}

/**
 * The PFNs of files on an RSE, all by the best protocol for the purpose (spec/rses.md 6.3). On a deterministic RSE the
 * files need not exist.
 *
 * @returns PFNs by `scope:name`.
 * @throws InvalidPath (400) for a malformed LFN; InvalidObject (400) when the RSE names an unknown algorithm; RSENotFound,
 *   RSEOperationNotSupported, RSEProtocolDomainNotSupported, RSEProtocolNotSupported, ReplicaNotFound (404).
 */
export async function translateLfns(
  { store }: Context,
  name: string,
  query: PfnQuery,
): Promise<Record<string, string>> {
  const files = readLfns(query.lfn);
  const rse = await requireCachedRse(store.table, name);
  if (rse.deletedAt !== undefined) failRseDisabled(rse.id);
  const purpose = readPurpose(query);
  const [protocol] = chooseProtocols(rse, purpose);
  if (protocol === undefined) throw noProtocolError(rse, purpose);

  const paths = rse.deterministic ? undefined : await storedPaths(store.table, rse, files);
  const pfns = files.flatMap((file) => {
    const pfn = computePfn(rse, protocol, file, trimPath(paths?.get(formatDid(file))));
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

/** Rucio's client sends the domain `ALL` for no domain. */
function readPurpose({ scheme, ...query }: PfnQuery): Purpose {
  const operation = query.operation.toLowerCase();
  const domain = query.domain === 'ALL' ? 'wan' : query.domain;
  if (!isOperation(operation)) fail('RSEOperationNotSupported', `Operation ${operation} is not supported`);
  if (!isDomain(domain)) fail('RSEProtocolDomainNotSupported', `Domain ${domain} not supported`);
  return { operation, domain, schemes: scheme === undefined || scheme === '' ? [] : scheme.split(',') };
}

async function storedPaths(table: Table, rse: Rse, files: readonly DidKey[]): Promise<Map<string, string | undefined>> {
  const found = await getFiles(table, files.filter(isValidDid));
  return new Map(found.map((file) => [formatDid(file), file.replicas.get(rse.id)?.path]));
}
