import { getPage, path, send, postLines } from '../../../api/client.ts';
import type { BodyAt } from '../../../api/contract.ts';
import type { Did, ReplicaLine } from '../../../api/types.ts';

/** The URLs that are wanted of each file. */
export interface Wish {
  /** The best one of each file, or all. */
  readonly which: 'best' | 'all';
  /** An RSE expression; empty: all RSEs. */
  readonly rses: string;
  /** A scheme such as `root`; empty: all. */
  readonly scheme: string;
}

/** A URL of a file. */
export interface FileUrl {
  readonly url: string;
  readonly rse: string;
}

/** The files of a page of a DID, and the cursor of the next one. */
interface FilesPage {
  readonly dids: readonly { scope: string; name: string }[];
  readonly next: string | undefined;
}

/** A page of the files of a DID, those of collections below included. */
export async function readFiles(
  did: Did,
  limit: number,
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<FilesPage> {
  const { scope, name } = did;
  if (did.type === 'FILE') return { dids: [{ scope, name }], next: undefined };
  const target = path('/dids/**:scope_name/files', { did: { scope, name } });
  const { rows, next } = await getPage(target, limit, cursor, { signal });
  return { dids: rows.map((row) => ({ scope: row.scope, name: row.name })), next };
}

/** The body of a request for the replicas of files. */
export function replicasBody(dids: FilesPage['dids'], { rses, scheme }: Wish): BodyAt<'POST', '/replicas/list'> {
  return {
    dids: [...dids],
    ...(rses.trim() === '' ? {} : { rse_expression: rses.trim() }),
    ...(scheme === '' ? {} : { schemes: [scheme] }),
  };
}

/** The replicas of files; of no files, nothing. */
export async function readReplicas(
  dids: FilesPage['dids'],
  wish: Wish,
  signal: AbortSignal,
): Promise<readonly ReplicaLine[]> {
  return dids.length === 0 ? [] : postLines('/replicas/list', { body: replicasBody(dids, wish), signal });
}

/** The URLs of a file that are wanted, the best first. */
export function urlsOf({ pfns }: ReplicaLine, { which }: Wish): readonly FileUrl[] {
  const urls = Object.entries(pfns)
    .toSorted(([, one], [, other]) => one.priority - other.priority)
    .map(([url, { rse }]) => ({ url, rse }));
  return which === 'best' ? urls.slice(0, 1) : urls;
}

/** So many files are asked for at once: each costs a read. */
const filesAtOnce = 500;

const metalink = 'application/metalink4+xml';
const metalinkHead = '<?xml version="1.0" encoding="UTF-8"?>\n<metalink xmlns="urn:ietf:params:xml:ns:metalink">\n';

/** A form of the list of files. */
export type ListFormat = 'txt' | 'metalink';

/** Progress of a list: files so far, and those of them without a URL. */
export interface Progress {
  readonly files: number;
  readonly without: number;
}

/**
 * The list of all files of a DID, a page of files at a time: no request grows with the DID, and none of it becomes a part of the page.
 *
 * @throws ApiError if a page is refused, and a DOMException if the reader aborts.
 */
export async function collectList(
  did: Did,
  wish: Wish,
  format: ListFormat,
  signal: AbortSignal,
  onProgress: (progress: Progress) => void,
): Promise<Blob> {
  const parts: Blob[] = [];
  let progress: Progress = { files: 0, without: 0 };
  let cursor: string | undefined;
  do {
    const { dids, next } = await readFiles(did, filesAtOnce, cursor, signal);
    const { text, without } = await (format === 'txt' ? textOf : metalinkOf)(dids, wish, signal);
    parts.push(new Blob([text]));
    progress = { files: progress.files + dids.length, without: progress.without + without };
    onProgress(progress);
    cursor = next;
  } while (cursor !== undefined);
  return format === 'txt'
    ? new Blob(parts, { type: 'text/plain' })
    : new Blob([metalinkHead, ...parts, '</metalink>\n'], { type: metalink });
}

async function textOf(dids: FilesPage['dids'], wish: Wish, signal: AbortSignal) {
  const found = (await readReplicas(dids, wish, signal)).map((line) => urlsOf(line, wish));
  const lines = found.flat().map(({ url }) => `${url}\n`);
  return { text: lines.join(''), without: dids.length - found.filter(({ length }) => length > 0).length };
}

async function metalinkOf(dids: FilesPage['dids'], wish: Wish, signal: AbortSignal) {
  if (dids.length === 0) return { text: '', without: 0 };
  const query = wish.which === 'best' ? { limit: 1 } : {};
  const body = replicasBody(dids, wish);
  const answer = await (await send('POST', '/replicas/list', { query, body, accept: metalink, signal })).text();
  const text = answer.slice(answer.indexOf('<file'), answer.lastIndexOf('</metalink>'));
  const files = text.split('</file>').slice(0, -1);
  const located = files.filter((file) => file.includes('<url'));
  return {
    text: `${located.join('</file>')}${located.length > 0 ? '</file>\n' : ''}`,
    without: dids.length - located.length,
  };
}
