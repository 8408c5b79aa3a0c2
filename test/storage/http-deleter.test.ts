import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { StorageRefusal } from '../../lib/storage/deletion.ts';
import { hasFolder, makeHttpDeleter } from '../../lib/storage/webdav/http-deleter.ts';

let server: Server;
let url: string;
/** The status of each answer by method and path; absent: 404. */
let statuses: Map<string, number>;
let requests: IncomingMessage[];

beforeEach(async () => {
  statuses = new Map([['PROPFIND /store/', 207]]);
  requests = [];
  server = createServer((request, response) => {
    requests.push(request);
    const status = statuses.get(`${request.method} ${request.url}`) ?? 404;
    response.writeHead(status, status >= 300 && status < 400 ? { Location: `${url}/elsewhere` } : {}).end('text');
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
const open = () =>
  makeHttpDeleter({
    makeRequest: async (path) => ({ url: `${url}/store/${path}`, headers }),
    hasPrefix: () => hasFolder({ url: `${url}/store/`, headers }),
  });
const asked = () => requests.map(({ method, url: path }) => `${method} ${path}`);

describe('the deletion of a file by HTTP', () => {
  it('is one request with the headers of the storage', async () => {
    for (const status of [200, 202, 204]) {
      statuses.set('DELETE /store/f', status);
      expect(await open().delete('f')).toBe('deleted');
    }
    expect(asked()).toEqual(Array.from({ length: 3 }, () => 'DELETE /store/f'));
    expect(requests[0]?.headers.authorization).toBe('Bearer secret');
  });

  it('says that a file is absent, after it has looked once whether the prefix is there', async () => {
    const deleter = open();
    expect([await deleter.delete('f'), await deleter.delete('g')]).toEqual(['absent', 'absent']);
    expect(asked()).toEqual(['DELETE /store/f', 'PROPFIND /store/', 'DELETE /store/g']);
    statuses.set('PROPFIND /store/', 405);
    expect(await open().delete('f')).toBe('absent');
  });

  it('refuses if the prefix is missing as well, or may not be looked at', async () => {
    for (const status of [404, 403, 503]) {
      statuses.set('PROPFIND /store/', status);
      await expect(open().delete('f')).rejects.toThrow(StorageRefusal);
    }
  });

  it('refuses if the storage denies access, fails, or does not answer', async () => {
    for (const status of [401, 403, 429, 500, 503, 507]) {
      statuses.set('DELETE /store/f', status);
      await expect(open().delete('f')).rejects.toThrow(new StorageRefusal(`status ${status} at f`));
    }
    server.closeAllConnections();
    server.close();
    await expect(open().delete('f')).rejects.toThrow(
      /^no answer from 127\.0\.0\.1:\d+: (ECONNREFUSED|UND_ERR_SOCKET)$/,
    );
  });

  it('fails for a file alone that is locked or that leads elsewhere; a redirection is not followed', async () => {
    for (const status of [301, 307, 409, 423]) {
      statuses.set('DELETE /store/f', status);
      const failure = await open()
        .delete('f')
        .catch((error: unknown) => error);
      expect([failure instanceof StorageRefusal, String(failure)]).toEqual([false, `Error: status ${status} at f`]);
    }
    expect(asked()).not.toContain('DELETE /elsewhere');
  });
});
