import { Readable } from 'node:stream';

import type { Metalink } from '../contract/route.ts';
import type { PfnEntry, ReplicaLine } from '../contract/schemas/replica.ts';

/** The media type of metalinks (RFC 5854). */
export const metalinkType = 'application/metalink4+xml';

const prolog = '<?xml version="1.0" encoding="UTF-8"?>\n<metalink xmlns="urn:ietf:params:xml:ns:metalink">\n';
const end = '</metalink>\n';

/** Size of a chunk in characters. */
const chunkCharacters = 16 * 1024;

/**
 * Writes files and their replicas as a metalink, element by element as Rucio does (spec/replication.md 1.4). It waits
 * for the first file, so that an earlier error is an ordinary error answer.
 */
export async function openMetalink(files: AsyncIterable<ReplicaLine>, form: Metalink): Promise<Readable> {
  const iterator = files[Symbol.asyncIterator]();
  const first = await iterator.next();
  return Readable.from(chunks(first, iterator, form), { objectMode: false, highWaterMark: chunkCharacters });
}

async function* chunks(first: IteratorResult<ReplicaLine>, rest: AsyncIterator<ReplicaLine>, form: Metalink) {
  let chunk = prolog;
  try {
    for (let file = first; file.done !== true; file = await rest.next()) {
      chunk += fileElement(file.value, form);
      if (chunk.length < chunkCharacters) continue;
      yield chunk;
      chunk = '';
    }
    yield chunk + end;
  } finally {
    await rest.return?.();
  }
}

function fileElement(file: ReplicaLine, { community, detailed }: Metalink): string {
  const { parents = [], adler32, md5, bytes } = file;
  const did = escape(`${file.scope}:${file.name}`);
  const lines = [
    ` <file name="${escape(file.name)}">`,
    ...(parents.length === 0 ? [] : ['  <parents>', ...parents.map(parentElement), '  </parents>']),
    `  <identity>${did}</identity>`,
    ...(adler32 === null ? [] : [`  <hash type="adler32">${escape(adler32)}</hash>`]),
    ...(md5 === null ? [] : [`  <hash type="md5">${escape(md5)}</hash>`]),
    ...(bytes === null ? [] : [`  <size>${bytes}</size>`]),
    `  <glfn name="/${community}/rucio/${did}"></glfn>`,
    ...Object.entries(file.pfns).map(([pfn, entry]) => urlElement(pfn, entry, detailed)),
    ' </file>\n',
  ];
  return lines.join('\n');
}

function parentElement(did: string): string {
  return `   <did>${escape(did)}</did>`;
}

function urlElement(pfn: string, entry: PfnEntry, detailed: boolean): string {
  const { rse, domain, priority, client_extract: extract } = entry;
  const attributes = {
    location: rse,
    ...(detailed ? { domain } : {}),
    priority,
    ...(detailed ? { client_extract: extract } : {}),
  };
  const text = Object.entries(attributes).map(
    ([name, value]) => ` ${name}="${escape(String(value)).replaceAll('"', '&quot;')}"`,
  );
  return `  <url${text.join('')}>${escape(pfn)}</url>`;
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Replaces characters that XML cannot represent. */
function escape(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[&<>]/g, (mark) => entities[mark] ?? mark)
    .replaceAll(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd');
}
