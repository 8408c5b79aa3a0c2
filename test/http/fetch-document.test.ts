import { afterEach, describe, expect, it } from 'vitest';

import { fetchDocument } from '../../lib/fetch-document.ts';
import { type ServedStorage, serveStorage } from '../support/serve-storage.ts';

let served: ServedStorage | undefined;
afterEach(() => served?.close());

describe('a document of another service', () => {
  it('is read whole, with its status and type', async () => {
    served = await serveStorage(({ response }) => {
      response.writeHead(201, { 'Content-Type': 'application/json' }).end('{"keys": []}');
    });
    const answer = await fetchDocument(served.origin);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([201, 'application/json']);
    expect(await answer.json()).toEqual({ keys: [] });
  });

  it('has no content if it is empty', async () => {
    served = await serveStorage(({ response }) => void response.writeHead(204).end());
    expect((await fetchDocument(served.origin)).body).toBeNull();
  });

  it('is not read to its end if it has none', async () => {
    served = await serveStorage(() => {});
    served.setFaults(() => 'endless');
    await expect(fetchDocument(served.origin)).rejects.toThrow(/^127\.0\.0\.1:\d+ sends a document without end$/);
  });
});
