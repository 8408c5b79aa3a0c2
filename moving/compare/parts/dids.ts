import { inChunks, mapParallel } from '../../rows/map-parallel.ts';
import type { Row } from '../../rows/sorted-rows.ts';
import { problemField } from '../compare-rows.ts';
import { markRefused, refusedNameField } from '../refused-names.ts';
import { RequestError, type Session } from '../session.ts';
import {
  didOf,
  type ListedDid,
  pathOf,
  type ScopePart,
  type Source,
  type ScopeSource,
  textOf,
  without,
} from '../source.ts';

/** DIDs in one request. */
const didsPerRequest = 500;

/** Lists the DIDs of a scope in the server's order. Suppressed DIDs are in no list. */
export async function* listDids(session: Session, scope: string): AsyncGenerator<ListedDid> {
  const path = `/dids/${encodeURIComponent(scope)}/dids/search?type=all&long=1&name=${encodeURIComponent('*')}`;
  for await (const { name, did_type: type } of session.stream(path))
    yield { scope, name: textOf(name), type: textOf(type) };
}

const keyOf = ({ scope, name }: { readonly scope: unknown; readonly name: unknown }) =>
  `${textOf(scope)}:${textOf(name)}`;

/**
 * Reads rows of many DIDs with one request. A server that refuses the request, because of one odd name among them, is asked
 * for each DID by itself; a DID that it cannot tell about makes a row that says so.
 */
async function* readBulk(
  source: Source,
  dids: AsyncIterable<ListedDid>,
  ask: (dids: readonly ListedDid[]) => Promise<Row[]>,
  askForOne: (did: ListedDid) => Promise<Row[]> = (did) => ask([did]),
): AsyncGenerator<Row> {
  const askSafely = async (chunk: readonly ListedDid[]): Promise<Row[]> => {
    const [first, ...more] = chunk;
    if (first === undefined) return [];
    try {
      return await ask(chunk);
    } catch (error) {
      requireRefusal(error);
      if (more.length === 0) return tellProblem(keyOf(first), () => askForOne(first));
      const middle = Math.ceil(chunk.length / 2);
      return [...(await askSafely(chunk.slice(0, middle))), ...(await askSafely(chunk.slice(middle)))];
    }
  };
  for await (const rows of mapParallel(inChunks(dids, didsPerRequest), source.parallel, askSafely)) yield* rows;
}

/** Lets a refused request pass; throws any other failure. */
function requireRefusal(error: unknown): asserts error is RequestError {
  if (!(error instanceof RequestError) || error.status === 0) throw error;
}

/** Asks, and makes a refusal a row that says so. */
async function tellProblem(key: string, ask: () => Promise<Row[]>): Promise<Row[]> {
  try {
    return await ask();
  } catch (error) {
    requireRefusal(error);
    return [{ key, value: { [problemField]: explain(error) } }];
  }
}

/** A page of HTML is the answer of a server that does not know the path, as Rucio without its endpoint `archives`. */
function explain({ message }: RequestError): string {
  const page = message.search(/<!doctype|<html/i);
  return page === -1 ? message : `${message.slice(0, page)}the server does not serve this path`;
}

const namesOf = (dids: readonly ListedDid[]) => dids.map(({ scope, name }) => ({ scope, name }));

const rowOf = (row: Record<string, unknown>): Row => ({
  key: keyOf(row as never),
  value: { ...without(row, 'scope', 'name'), ...markRefused(didOf(row)) },
});

/** The metadata of a plugin for one DID: servers check names here less strictly than in bulk. */
const askForMetadata = (source: Source, plugin: string) => async (did: ListedDid) => {
  const meta = (await source.session.json(`/dids/${pathOf(did)}/meta?plugin=${plugin}`)) as Record<string, unknown>;
  return [rowOf({ ...meta, scope: did.scope, name: did.name })];
};

const askForColumns = (source: Source) => async (dids: readonly ListedDid[]) =>
  (await source.session.rows('POST', '/dids/bulkmeta', { dids: namesOf(dids) })).map(rowOf);

/** Finds the DIDs whose metadata a server knows. */
export async function findMetadata(source: Source, dids: readonly ListedDid[]): Promise<ListedDid[]> {
  if (dids.length === 0) return [];
  const found = new Set<string>();
  const rows = readBulk(source, asList(dids), askForColumns(source), askForMetadata(source, 'DID_COLUMN'));
  for await (const { key, value } of rows) if (value[problemField] === undefined) found.add(key);
  return dids.filter((did) => found.has(keyOf(did)));
}

async function* asList<T>(elements: Iterable<T>): AsyncGenerator<T> {
  yield* elements;
}

/** Types, sizes, checksums, dates, flags and the metadata that are columns. */
const dids: ScopePart = {
  name: 'dids',
  read: (source) =>
    readBulk(
      source,
      source.dids(),
      async (chunk) => withMissing(chunk, await askForColumns(source)(chunk)),
      askForMetadata(source, 'DID_COLUMN'),
    ),
};

/** Free metadata, stored as JSON. */
const metadata: ScopePart = {
  name: 'metadata',
  async *read(source) {
    const rows = readBulk(
      source,
      source.dids(),
      async (chunk) =>
        (await source.session.rows('POST', '/dids/bulkmeta', { dids: namesOf(chunk), plugin: 'JSON' })).map(rowOf),
      askForMetadata(source, 'JSON'),
    );
    for await (const row of rows) if (Object.keys(without(row.value, refusedNameField)).length > 0) yield row;
  },
};

/** A DID that is listed but left out of an answer must not pass for one that is equal. */
function withMissing(chunk: readonly ListedDid[], rows: readonly Row[]): Row[] {
  const found = new Set(rows.map(({ key }) => key));
  const missing = chunk.map(keyOf).filter((key) => !found.has(key));
  return [...rows, ...missing.map((key) => ({ key, value: { [problemField]: 'listed, but left out of the answer' } }))];
}

/** The contents of collections and of archives. */
const contents: ScopePart = {
  name: 'contents',
  async *read(source) {
    const ask = async (did: ListedDid): Promise<Row[]> => {
      const isFile = did.type === 'FILE';
      const path = isFile ? `/archives/${pathOf(did)}/files` : `/dids/${pathOf(did)}/dids`;
      try {
        const rows = await source.session.rows('GET', path);
        return rows.map((row) => ({
          key: `${keyOf(did)} -> ${keyOf(row as never)}`,
          value: { ...without(row, 'scope', 'name'), ...markRefused(did, didOf(row)) },
        }));
      } catch (error) {
        if (!(error instanceof RequestError) || error.status === 0) throw error;
        return [{ key: `${keyOf(did)} ->`, value: { [problemField]: error.message } }];
      }
    };
    for await (const rows of mapParallel(collectionsAndArchives(source), source.parallel, ask)) yield* rows;
  },
};

/** The collections of a scope, and the files that the server calls archives. */
async function* collectionsAndArchives(source: ScopeSource): AsyncGenerator<ListedDid> {
  for await (const did of source.dids()) if (did.type !== 'FILE') yield did;
  const files = filesOf(source);
  const rows = readBulk(source, files, askForColumns(source), askForMetadata(source, 'DID_COLUMN'));
  for await (const { key, value } of rows) {
    const { scope } = source;
    if (value['is_archive'] === true) yield { scope, name: key.slice(scope.length + 1), type: 'FILE' };
  }
}

async function* filesOf(source: ScopeSource): AsyncGenerator<ListedDid> {
  for await (const did of source.dids()) if (did.type === 'FILE') yield did;
}

/** A replica of a file as an answer has it: by RSE its PFNs, and its state. */
interface ReplicaRow {
  readonly rses?: Readonly<Record<string, readonly string[]>>;
  readonly states?: Readonly<Record<string, string>>;
  readonly [member: string]: unknown;
}

/**
 * Replicas in all states with their PFNs of every scheme. Where two protocols have the same priority, Rucio chooses one at
 * random unless schemes are named. Priorities of PFNs are not compared, since servers order equal ones at will.
 */
const replicas: ScopePart = {
  name: 'replicas',
  async *read(source) {
    const schemes = await listSchemes(source);
    yield* readBulk(source, filesOf(source), async (chunk) => {
      const body = { dids: namesOf(chunk), all_states: true, ignore_availability: true, schemes };
      const rows = (await source.session.rows('POST', '/replicas/list', body)) as readonly ReplicaRow[];
      return rows.flatMap(({ scope, name, rses = {}, states = {}, bytes, adler32, md5 }) => {
        const refused = markRefused(didOf({ scope, name }));
        return [...new Set([...Object.keys(rses), ...Object.keys(states)])].map((rse) => ({
          key: `${keyOf({ scope, name })} @ ${rse}`,
          value: { state: states[rse] ?? null, pfns: (rses[rse] ?? []).toSorted(), bytes, adler32, md5, ...refused },
        }));
      });
    });
  },
};

/** The schemes of all protocols of a server. */
async function listSchemes({ session, parallel }: ScopeSource): Promise<string[]> {
  const names = (await session.rows('GET', '/rses/')).map(({ rse }) => encodeURIComponent(textOf(rse)));
  const schemes = new Set<string>();
  for await (const protocols of mapParallel(names, parallel, (rse) => session.rows('GET', `/rses/${rse}/protocols`))) {
    for (const { scheme } of protocols) schemes.add(textOf(scheme));
  }
  return [...schemes].sort();
}

/** The parts about DIDs. */
export const didParts: readonly ScopePart[] = [dids, contents, metadata, replicas];
