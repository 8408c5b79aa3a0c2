import type { DidKey } from '../../contract/schemas/did.ts';
import type { DumpedReplicaLine } from '../../contract/schemas/replica.ts';
import { replicaStateNames } from '../../contract/schemas/states.ts';
import { type Page, type Placed, placed, sliceOf, wholeList } from '../../domain/paging/page.ts';
import { authorize } from '../../domain/permission/authorize.ts';
import { requireCachedLiveRse } from '../../domain/rses/find-rse.ts';
import { chooseProtocols } from '../../domain/rses/pfn/choose-protocols.ts';
import { computePath } from '../../domain/rses/pfn/lfn-to-pfn.ts';
import type { Context } from '../../domain/values/context.ts';
import { formatDid } from '../../domain/values/format-did.ts';
import { effectiveState } from '../../domain/values/replica-state.ts';
import { flattenPages } from '../../rows/paged-rows.ts';
import type { ReadyRows } from '../../rows/ready-rows.ts';
import { splitIntoChunks } from '../../rows/split-into-chunks.ts';
import type { Table } from '../../store/batches/table.ts';
import { type FileDid, getFiles } from '../../store/entities/did.ts';
import { listAllRseContent } from '../../store/entities/rse-content.ts';
import type { Rse } from '../../store/entities/rse.ts';
import { formatDate } from '../../time.ts';

/** Files that are read together. */
const filesPerRead = 500;

/**
 * All replicas on an RSE by scope and name, to be compared with what is on its storage (docs/how-to/check-storage.md). Costs a
 * read unit for each, and a query unit for some 30.
 *
 * @throws AccessDenied (401); RSENotFound (404); InvalidObject (400) when the RSE names an unknown algorithm.
 */
export function dumpReplicas(
  context: Context,
  name: string,
  page: Page = wholeList,
): ReadyRows<Placed<DumpedReplicaLine>> {
  return flattenPages(dumpInSteps(context, name, page));
}

async function* dumpInSteps(
  context: Context,
  name: string,
  page: Page,
): AsyncGenerator<readonly Placed<DumpedReplicaLine>[]> {
  const { table } = context.store;
  const rse = await requireCachedLiveRse(table, name);
  await authorize(context, 'dump_replicas', { rseName: rse.rse });
  const [scope, last = ''] = page.after ?? [];
  const slice = sliceOf(page, scope === undefined ? undefined : { scope, name: last });
  const content = listAllRseContent(table, rse.id, slice);
  for await (const chunk of splitIntoChunks(content, Math.min(slice.pageSize ?? filesPerRead, filesPerRead))) {
    yield (await readInOrder(table, chunk)).flatMap((file) => {
      const line = describe(rse, file, context.now);
      return line === undefined ? [] : [placed(line, file.scope, file.name)];
    });
  }
}

async function readInOrder(table: Table, dids: readonly DidKey[]): Promise<FileDid[]> {
  const files = new Map((await getFiles(table, dids)).map((file) => [formatDid(file), file]));
  return dids.flatMap((did) => files.get(formatDid(did)) ?? []);
}

function describe(rse: Rse, file: FileDid, now: number): DumpedReplicaLine | undefined {
  const { scope, name, bytes = null, adler32 = null, md5 = null } = file;
  const replica = file.replicas.get(rse.id);
  if (replica === undefined) return undefined;
  const [protocol = rse.protocols[0]] = chooseProtocols(rse, { operation: 'read', domain: 'wan' });
  return {
    scope,
    name,
    path: computePath(rse, protocol, { scope, name }, replica.path) ?? null,
    bytes,
    adler32,
    md5,
    state: replicaStateNames[effectiveState(replica, now)],
    updated_at: formatDate(replica.updatedAt ?? replica.createdAt ?? file.createdAt),
  };
}
