import type { DidKey } from '../../contract/schemas/did.ts';
import type { EntryParts, OpendataEntryRecord, OpendataFile } from '../../contract/schemas/opendata.ts';
import type { OpendataState } from '../../contract/schemas/states.ts';
import { readOption } from '../../domain/config/read-option.ts';
import { firstFilesBelow } from '../../domain/did-graph/files-below.ts';
import { findOpendata, opendataNotFoundError } from '../../domain/opendata/find-opendata.ts';
import { findOpendataRule } from '../../domain/opendata/opendata-rule.ts';
import type { AnonymousContext } from '../../domain/values/context.ts';
import { formatDid } from '../../domain/values/format-did.ts';
import { fail } from '../../errors.ts';
import { addIntegers, type Integer } from '../../integer.ts';
import { parseJson } from '../../json.ts';
import { splitIntoChunks } from '../../rows/split-into-chunks.ts';
import type { Table } from '../../store/batches/table.ts';
import { getDid, isCollection } from '../../store/entities/did.ts';
import { getOpendataMetadata } from '../../store/entities/opendata.ts';
import { formatDate } from '../../time.ts';

/** The entry to show, and its parts. */
interface Query extends EntryParts {
  /** Only an entry in this state; absent: in any. */
  readonly state?: OpendataState | undefined;
}

/** Lists the PFNs of files on the disks of an RSE expression. */
type ListPfns = (
  context: AnonymousContext,
  files: readonly DidKey[],
  expression: string,
) => AsyncIterable<
  DidKey & { readonly bytes: Integer | null; readonly adler32: string | null; readonly pfns: readonly string[] }
>;

/** How files are listed. */
interface FileListing {
  readonly listPfns: ListPfns;
  /** The most attachments that are read. */
  readonly maxAttachments: number;
}

/** The most files whose PFNs are read at a time. */
const filesPerStep = 1_000;

/**
 * One entry of open data (spec/access.md 10.3). Only what it shows is read.
 *
 * @throws OpenDataDataIdentifierNotFound (404); with files ConfigurationError (400) without the option
 *   `opendata/rse_expression`, InvalidRSEExpression (400), and PayloadTooLarge (413) for too many.
 */
export async function getOpendataDid(
  context: AnonymousContext,
  did: DidKey,
  query: Query,
  listing: FileListing,
): Promise<OpendataEntryRecord> {
  const { table } = context.store;
  const label = formatDid(did);
  const [entry, rule] = await Promise.all([findOpendata(table, did, label), findOpendataRule(table, did)]);
  if (query.state !== undefined && entry.state !== query.state) throw opendataNotFoundError(label);
  const meta = query.meta && entry.isDescribed === true ? await getOpendataMetadata(table, did) : undefined;
  return {
    ...did,
    state: entry.state,
    created_at: formatDate(entry.createdAt),
    updated_at: formatDate(entry.updatedAt),
    ...(query.doi ? { doi: entry.doi ?? null } : {}),
    ...(query.record_id ? { record_id: entry.recordId ?? null } : {}),
    ...(query.meta ? { meta: parseJson(meta ?? '{}') as Record<string, unknown> } : {}),
    rule: rule ?? null,
    ...(query.files ? await describeFiles(context, did, query, listing) : {}),
  };
}

async function describeFiles(context: AnonymousContext, did: DidKey, query: Query, listing: FileListing) {
  const startedAt = performance.now();
  const { table } = context.store;
  const expression = await readOption(table, 'opendata', 'rse_expression');
  if (expression === undefined) {
    fail('ConfigurationError', "No option 'rse_expression' in section: 'opendata'");
  }
  const files: OpendataFile[] = [];
  for await (const step of splitIntoChunks(listFiles(table, did, listing.maxAttachments), filesPerStep)) {
    for await (const { pfns, ...file } of listing.listPfns(context, step, expression)) {
      files.push({ ...file, uris: [...pfns], ...(query.download_urls ? { download_urls: [] } : {}) });
    }
  }
  return { files, files_summary: { ...summarise(files), ...timing(startedAt) } };
}

async function* listFiles(table: Table, key: DidKey, maxAttachments: number): AsyncGenerator<DidKey> {
  const did = await getDid(table, key);
  if (did === undefined) return;
  if (isCollection(did)) yield* firstFilesBelow(table, [did], maxAttachments, () => failTooManyFiles(maxAttachments));
  else yield did;
}

function failTooManyFiles(maxAttachments: number): never {
  return fail('PayloadTooLarge', `The DID holds more than ${maxAttachments} attachments: list its files by /dids`);
}

function summarise(files: readonly OpendataFile[]) {
  const names = files.flatMap(({ uris }) => uris.map((uri) => uri.slice(uri.lastIndexOf('/') + 1)));
  const extensions = names.filter((name) => name.includes('.')).map((name) => name.slice(name.lastIndexOf('.') + 1));
  return {
    length: files.length,
    bytes: files.reduce<Integer>((sum, { bytes }) => addIntegers(sum, bytes ?? 0), 0),
    extensions: [...new Set(extensions)],
    replicas_missing: files.filter(({ uris }) => uris.length === 0).length,
  };
}

/** Rucio caches lists of files for hours; here every list is current. */
const timing = (startedAt: number) => ({
  request_cache_hit: false,
  request_time_elapsed_millis: performance.now() - startedAt,
});
