import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { StorageRefusal } from '../../lib/movers/deletion.ts';
import { makeObjectDeleter } from '../../lib/movers/object-deleter.ts';
import { readEntry } from '../../lib/movers/webdav/read-entry.ts';
import { makeWebdavDeleter } from '../../lib/movers/webdav/webdav-deleter.ts';

let server: Server;
let url: string;
/** The status of each answer by method and path; absent: 404. */
let statuses: Map<string, number>;
/** The entry at a path, in the words of the server. */
let entries: Map<string, string>;
let requests: IncomingMessage[];

const answerOf = (properties: string, status = '200 OK') =>
  '<?xml version="1.0"?><D:multistatus xmlns:D="DAV:"><D:response><D:href>/x</D:href>' +
  `<D:propstat><D:prop>${properties}</D:prop><D:status>HTTP/1.1 ${status}</D:status></D:propstat></D:response></D:multistatus>`;
const file = answerOf('<D:resourcetype/><D:getcontentlength>17</D:getcontentlength>');
const folder = answerOf('<D:resourcetype><D:collection/></D:resourcetype>');

beforeEach(async () => {
  statuses = new Map([['PROPFIND /store/', 207]]);
  entries = new Map();
  requests = [];
  server = createServer((request, response) => {
    requests.push(request);
    const { method, url: path = '' } = request;
    const entry = method === 'PROPFIND' ? entries.get(path) : undefined;
    const status = statuses.get(`${method} ${path}`) ?? (entry === undefined ? 404 : 207);
    const headers = status >= 300 && status < 400 ? { Location: `${url}/elsewhere` } : {};
    response.writeHead(status, headers).end(entry ?? 'text');
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const headers = { Authorization: 'Bearer secret' };
const makeRequest = async (path: string) => ({ url: `${url}/store/${path}`, headers });
const yes = async () => true;
const remove = (path = 'f') => makeWebdavDeleter(makeRequest).delete(path, yes);
const asked = () => requests.map(({ method, url: path }) => `${method} ${path}`);
const failureOf = async (deletion: Promise<unknown>) => {
  const failure = await deletion.catch((error: unknown) => error);
  return [failure instanceof StorageRefusal, String(failure)];
};

describe('the deletion of a file by WebDAV', () => {
  beforeEach(() => {
    entries.set('/store/f', file);
  });

  it('asks what is at the path, then deletes it, with the headers of the storage; it tells the size', async () => {
    for (const status of [200, 202, 204]) {
      statuses.set('DELETE /store/f', status);
      expect(await remove()).toEqual({ outcome: 'deleted', bytes: 17 });
    }
    expect(asked().slice(0, 2)).toEqual(['PROPFIND /store/f', 'DELETE /store/f']);
    expect(requests.map((request) => request.headers.authorization)).toEqual(Array(6).fill('Bearer secret'));
    expect(requests[0]?.headers.depth).toBe('0');
  });

  it('never deletes a folder, nor what the server does not call a file', async () => {
    const others = [
      folder,
      answerOf('<lp1:iscollection>1</lp1:iscollection><D:getcontentlength>0</D:getcontentlength>'),
      // A list of what is in a folder, of a server that ignores the depth.
      `${file}${file}`,
      answerOf('<D:resourcetype/>', '404 Not Found'),
      answerOf('<D:getcontentlength>17</D:getcontentlength>'),
      '<html>moved</html>',
      '',
    ];
    for (const other of others) {
      entries.set('/store/f', other);
      await expect(remove(), other).rejects.toThrow(/is a folder|does not say whether/);
    }
    for (const status of [200, 301, 307, 400, 409]) {
      statuses.set('PROPFIND /store/f', status);
      await expect(remove()).rejects.toThrow(`status ${status} at f`);
    }
    expect(asked().filter((request) => request.startsWith('DELETE'))).toEqual([]);
  });

  it('refuses all deletions where the server does not know the question', async () => {
    for (const status of [405, 501]) {
      statuses.set('PROPFIND /store/f', status);
      await expect(remove()).rejects.toThrow(StorageRefusal);
    }
    expect(asked()).not.toContain('DELETE /store/f');
  });

  it('asks whether the file is still to be deleted after everything else, and keeps it if not', async () => {
    const confirm = async () => (asked().join() === 'PROPFIND /store/f' ? false : expect.fail('too late'));
    expect(await makeWebdavDeleter(makeRequest).delete('f', confirm)).toEqual({ outcome: 'kept' });
    expect(asked()).toEqual(['PROPFIND /store/f']);
  });

  it('says that a file is absent, after it has looked once whether the prefix is there', async () => {
    const deleter = makeWebdavDeleter(makeRequest);
    expect([await deleter.delete('g', yes), await deleter.delete('h', yes)]).toEqual([
      { outcome: 'absent' },
      { outcome: 'absent' },
    ]);
    expect(asked()).toEqual(['PROPFIND /store/g', 'PROPFIND /store/', 'PROPFIND /store/h']);
    // It has gone since it was looked at.
    expect(await deleter.delete('f', yes)).toEqual({ outcome: 'absent' });
  });

  it('refuses if the prefix is missing as well, or may not be looked at', async () => {
    for (const status of [404, 403, 405, 503]) {
      statuses.set('PROPFIND /store/', status);
      await expect(remove('g')).rejects.toThrow(StorageRefusal);
      await expect(makeWebdavDeleter(makeRequest).probe()).rejects.toThrow(StorageRefusal);
    }
    statuses.set('PROPFIND /store/', 207);
    await makeWebdavDeleter(makeRequest).probe();
  });

  it('refuses if the storage denies access, fails, or does not answer', async () => {
    for (const status of [401, 403, 429, 500, 503, 507]) {
      statuses.set('DELETE /store/f', status);
      await expect(remove()).rejects.toThrow(new StorageRefusal(`status ${status} at f`));
    }
    server.closeAllConnections();
    server.close();
    await expect(remove()).rejects.toThrow(/^no answer from 127\.0\.0\.1:\d+: (ECONNREFUSED|UND_ERR_SOCKET)$/);
  });

  it('fails for a file alone that is locked, that leads elsewhere or was deleted in part; a redirection is not followed', async () => {
    for (const status of [207, 301, 307, 409, 423]) {
      statuses.set('DELETE /store/f', status);
      expect(await failureOf(remove())).toEqual([false, `Error: status ${status} at f`]);
    }
    expect(asked()).not.toContain('DELETE /elsewhere');
  });
});

describe('what a WebDAV server says about a path', () => {
  it('is read whatever prefixes and properties it uses', () => {
    const apache =
      '<D:multistatus xmlns:D="DAV:" xmlns:ns0="DAV:"><D:response xmlns:lp1="DAV:"><D:href>/f</D:href><D:propstat><D:prop>' +
      '<lp1:resourcetype/>\n<lp1:getcontentlength>5</lp1:getcontentlength>\n</D:prop><D:status>HTTP/1.1 200 OK</D:status>' +
      '</D:propstat></D:response></D:multistatus>';
    expect(readEntry(apache)).toEqual({ kind: 'file', bytes: 5 });
    expect(readEntry(apache.replaceAll('D:', '').replaceAll('lp1:', ''))).toEqual({ kind: 'file', bytes: 5 });
    expect(
      readEntry(apache.replace('<lp1:resourcetype/>', '<lp1:resourcetype><D:collection /></lp1:resourcetype>')).kind,
    ).toBe('folder');
    const xrootd = answerOf('<lp1:getcontentlength>9</lp1:getcontentlength><lp1:iscollection>0</lp1:iscollection>');
    expect(readEntry(xrootd)).toEqual({ kind: 'file', bytes: 9 });
  });
});

describe('the deletion of an object by a signed URL', () => {
  const open = (tellsAbsence: boolean) => makeObjectDeleter({ makeRequest, tellsAbsence });

  it('is one request, once it is confirmed', async () => {
    statuses.set('DELETE /store/f', 204);
    expect(await open(false).delete('f', async () => false)).toEqual({ outcome: 'kept' });
    expect(asked()).toEqual([]);
    expect(await open(false).delete('f', yes)).toEqual({ outcome: 'deleted' });
    expect(asked()).toEqual(['DELETE /store/f']);
  });

  it('refuses if the service has no bucket; others tell by the same status that the object is not there', async () => {
    expect(await failureOf(open(false).delete('f', yes))).toEqual([
      true,
      'StorageRefusal: status 404: there is no bucket',
    ]);
    expect(await open(true).delete('f', yes)).toEqual({ outcome: 'absent' });
    await expect(open(false).probe()).rejects.toThrow(StorageRefusal);
    await open(true).probe();
  });

  it('is probed by a key that nobody has', async () => {
    await open(true).probe();
    expect(asked()).toEqual([expect.stringMatching(/^DELETE \/store\/\.dapple-probe-[0-9a-f-]{36}$/)]);
  });
});
