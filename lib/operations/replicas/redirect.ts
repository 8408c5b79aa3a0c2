import type { DidKey } from '../../contract/schemas/did.ts';
import type { ReplicaLine } from '../../contract/schemas/replica.ts';
import { readSortAlgorithm } from '../../domain/replicas/order-pfns.ts';
import type { AnonymousContext, GuestContext } from '../../domain/values/context.ts';
import { readAhead } from '../../domain/values/read-ahead.ts';
import { shuffle } from '../../domain/values/shuffle.ts';
import { fail, RucioError } from '../../errors.ts';
import { getFleet } from '../../store/entities/rse-fleet.ts';
import { listReplicas } from './list-replicas.ts';
import { availableStates, type ReadLimit, type ReplicaListQuery } from './replica-query.ts';

/** Where somebody is to be led, as the query says it. */
interface Query {
  readonly schemes: readonly string[];
  readonly site?: string | undefined;
  readonly rse?: string | undefined;
  readonly sort?: string | undefined;
  readonly select?: string | undefined;
}

/** Schemes of PFNs that are HTTP, or can be read by it. */
const forBrowsers = ['davs', 'https', 's3'];
const forMetalinks = ['http', 'https', 'root', 'davs'];

/** Attachments that are looked at for somebody without a token. */
const mostForGuests = 100;

/** To lead to one file, no more is looked at for anybody. */
const forOneFile: ReadLimit = { attachments: mostForGuests, filesPerStep: 10, onMore: () => {} };

const forGuests: ReadLimit = {
  attachments: mostForGuests,
  filesPerStep: mostForGuests,
  onMore: () => fail('AccessDenied', `The DID holds more than ${mostForGuests} attachments: show a token to list them`),
};

/** Where to go, and a link to the metalink of the same file as a header says it. */
interface Redirection {
  readonly pfn: string;
  readonly link: string;
}

/**
 * A PFN of a file that HTTP clients can read: on an RSE, at a site, or any (spec/replication.md 1.11). Of a collection the
 * first hundred attachments are looked at, until a file can be read.
 *
 * @throws ReplicaNotFound, SortingAlgorithmNotSupported (404).
 */
export async function redirect(context: AnonymousContext, did: DidKey, query: Query): Promise<Redirection> {
  const schemes = query.schemes.length > 0 ? query.schemes : forBrowsers;
  const sort = query.sort ?? query.select ?? 'random';
  const isRandom = readSortAlgorithm(sort) === 'random' && query.rse === undefined && query.site === undefined;
  const link = linkTo(did, schemes, sort);
  let reason = 'file does not exist';
  for await (const { rses } of listReplicas(context, { ...wishFor(did, schemes, query), bound: forOneFile })) {
    const pfns = await choose(context, Object.entries(rses), query);
    const [pfn] = isRandom ? shuffle(pfns) : pfns;
    if (pfn !== undefined) return { pfn: readable(pfn), link };
    reason = 'no valid RSE for HTTP redirection found';
  }
  throw new RucioError('ReplicaNotFound', `no redirection possible - ${reason}`, { headers: { Link: link } });
}

/**
 * The replicas of a file, or of the files in a collection, for a metalink (spec/replication.md 1.11).
 *
 * @throws AccessDenied (401) to a guest where there are more than a hundred attachments; ReplicaNotFound (404) when there
 *   is no such file; SortingAlgorithmNotSupported (404).
 */
export async function listForMetalink(
  context: GuestContext,
  did: DidKey,
  query: Query,
): Promise<AsyncIterable<ReplicaLine>> {
  const schemes = query.schemes.length > 0 ? query.schemes : forMetalinks;
  const wish = wishFor(did, schemes, query);
  const bounded = context.issuer === undefined ? { ...wish, bound: forGuests } : wish;
  return readAhead(nonEmpty(listReplicas(context, bounded)));
}

async function* nonEmpty(lines: AsyncIterable<ReplicaLine>): AsyncGenerator<ReplicaLine> {
  let found = false;
  for await (const line of lines) {
    found = true;
    yield line;
  }
  if (!found) fail('ReplicaNotFound', 'no redirection possible - cannot find the DID');
}

function wishFor(did: DidKey, schemes: readonly string[], { site, sort, select }: Query): ReplicaListQuery {
  return {
    dids: [did],
    access: { domain: undefined, site, schemes },
    arrangement: { algorithm: readSortAlgorithm(sort ?? select), limit: undefined, byRse: true },
    filter: { states: availableStates, ignoreAvailability: true, expression: undefined, updatedAfter: undefined },
    resolveArchives: true,
    resolveParents: false,
    random: undefined,
  };
}

async function choose(
  { store }: AnonymousContext,
  entries: readonly (readonly [string, readonly string[]])[],
  { rse, site }: Query,
): Promise<string[]> {
  if (rse !== undefined) return entries.filter(([name]) => name === rse).flatMap(([, pfns]) => pfns);
  if (site === undefined) return entries.flatMap(([, pfns]) => pfns);
  const { byName } = await getFleet(store.table);
  return entries.filter(([name]) => byName.get(name)?.attributes['site'] === site).flatMap(([, pfns]) => pfns);
}

/** What HTTP clients call it; a header holds no other characters than these. */
function readable(pfn: string): string {
  return pfn
    .toWellFormed()
    .replace(/^(davs|s3):\/\//, 'https://')
    .replaceAll(/[^\u0021-\u007e]/gu, (character) => encodeURIComponent(character));
}

function linkTo({ scope, name }: DidKey, schemes: readonly string[], sort: string): string {
  const encode = (text: string) => encodeURIComponent(text.toWellFormed());
  const query = `schemes=${schemes.map(encode).join(',')}&select=${encode(sort)}`;
  return `</redirect/${encode(scope)}/${encode(name)}/metalink?${query}>; rel=describedby; type="application/metalink+xml"`;
}
