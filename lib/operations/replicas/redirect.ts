import type { DidKey } from '../../contract/schemas/did.ts';
import type { ReplicaLine } from '../../contract/schemas/replica.ts';
import { readSortAlgorithm } from '../../domain/replicas/order-pfns.ts';
import { resolveIfPossible } from '../../domain/rse-expression/resolve-expression.ts';
import type { AnonymousContext, GuestContext } from '../../domain/values/context.ts';
import { shuffle } from '../../domain/values/shuffle.ts';
import { fail, RucioError } from '../../errors.ts';
import { readAhead } from '../../rows/read-ahead.ts';
import { listReplicas } from './list-replicas.ts';
import { availableStates, type ReadLimit, type ReplicaListQuery } from './replica-query.ts';

/** The query parameters. */
interface Query {
  readonly schemes: readonly string[];
  readonly site?: string | undefined;
  readonly rse?: string | undefined;
  readonly sort?: string | undefined;
  readonly select?: string | undefined;
}

/** Default schemes: HTTP, or readable by HTTP clients. */
const browserSchemes = ['davs', 'https', 's3'];
const redirectedMetalinkSchemes = ['http', 'https', 'root', 'davs'];

/** The most attachments that are read for a caller without a token. */
const maxGuestAttachments = 100;

/** A redirection needs one file, so this holds for every caller. */
const redirectLimit: ReadLimit = { attachments: maxGuestAttachments, filesPerStep: 10, onMore: () => {} };

const guestLimit: ReadLimit = {
  attachments: maxGuestAttachments,
  filesPerStep: maxGuestAttachments,
  onMore: () =>
    fail('AccessDenied', `The DID holds more than ${maxGuestAttachments} attachments: show a token to list them`),
};

/** The PFN to redirectToReplica to, and the `Link` header with the metalink of the same file. */
interface Redirection {
  readonly pfn: string;
  readonly link: string;
}

/**
 * A PFN of a file that HTTP clients can read: on an RSE, at a site, or anywhere that is open for reading
 * (spec/replication.md 1.11). For a collection the first readable file among its first hundred attachments.
 *
 * @throws ReplicaNotFound, SortingAlgorithmNotSupported (404).
 */
export async function redirectToReplica(context: AnonymousContext, did: DidKey, query: Query): Promise<Redirection> {
  const schemes = query.schemes.length > 0 ? query.schemes : browserSchemes;
  const sort = query.sort ?? query.select ?? 'random';
  const isRandom = readSortAlgorithm(sort) === 'random' && query.rse === undefined && query.site === undefined;
  const link = makeLink(did, schemes, sort);
  let reason = 'file does not exist';
  for await (const { rses } of listReplicas(context, { ...makeQuery(did, schemes, query), bound: redirectLimit })) {
    const pfns = await choosePfns(context, Object.entries(rses), query);
    const [pfn] = isRandom ? shuffle(pfns) : pfns;
    if (pfn !== undefined) return { pfn: toHttpUrl(pfn), link };
    reason = 'no valid RSE for HTTP redirection found';
  }
  throw new RucioError('ReplicaNotFound', `no redirection possible - ${reason}`, { headers: { Link: link } });
}

/**
 * The replicas of a file, or of the files in a collection, for a metalink (spec/replication.md 1.11).
 *
 * @throws AccessDenied (401) if a guest asks for more than a hundred attachments; ReplicaNotFound (404) if there is no
 *   file; SortingAlgorithmNotSupported (404).
 */
export async function listForMetalink(
  context: GuestContext,
  did: DidKey,
  query: Query,
): Promise<AsyncIterable<ReplicaLine>> {
  const schemes = query.schemes.length > 0 ? query.schemes : redirectedMetalinkSchemes;
  const unlimited = makeQuery(did, schemes, query);
  const bounded = context.issuer === undefined ? { ...unlimited, bound: guestLimit } : unlimited;
  return readAhead(requireNonEmpty(listReplicas(context, bounded)));
}

async function* requireNonEmpty(lines: AsyncIterable<ReplicaLine>): AsyncGenerator<ReplicaLine> {
  let found = false;
  for await (const line of lines) {
    found = true;
    yield line;
  }
  if (!found) fail('ReplicaNotFound', 'no redirection possible - cannot find the DID');
}

function makeQuery(did: DidKey, schemes: readonly string[], { site, sort, select }: Query): ReplicaListQuery {
  return {
    dids: [did],
    access: { domain: undefined, schemes },
    site: site || undefined,
    arrangement: { algorithm: readSortAlgorithm(sort ?? select), limit: undefined, byRse: true },
    filter: { states: availableStates, ignoreAvailability: false, expression: undefined, updatedAfter: undefined },
    resolveArchives: true,
    resolveParents: false,
    random: undefined,
  };
}

async function choosePfns(
  { store }: AnonymousContext,
  entries: readonly (readonly [string, readonly string[]])[],
  { rse, site }: Query,
): Promise<string[]> {
  if (rse !== undefined) return entries.filter(([name]) => name === rse).flatMap(([, pfns]) => pfns);
  if (site === undefined) return entries.flatMap(([, pfns]) => pfns);
  const there = new Set((await resolveIfPossible(store.table, `site=${site}`)).map((each) => each.rse));
  return entries.filter(([name]) => there.has(name)).flatMap(([, pfns]) => pfns);
}

/** The PFN as a URL for HTTP clients, encoded for a header. */
function toHttpUrl(pfn: string): string {
  return pfn
    .toWellFormed()
    .replace(/^(davs|s3):\/\//, 'https://')
    .replaceAll(/[^\u0021-\u007e]/gu, (character) => encodeURIComponent(character));
}

function makeLink({ scope, name }: DidKey, schemes: readonly string[], sort: string): string {
  const encode = (text: string) => encodeURIComponent(text.toWellFormed());
  const query = `schemes=${schemes.map(encode).join(',')}&select=${encode(sort)}`;
  return `</redirect/${encode(scope)}/${encode(name)}/metalink?${query}>; rel=describedby; type="application/metalink+xml"`;
}
