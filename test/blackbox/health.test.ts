/** The check for monitors (docs/operations.md, Watch). */
import { describe, expect, it } from 'vitest';

import { call, nobody } from '../support/server.ts';

describe('GET /health', () => {
  it('is answered to everybody, by a function that has read the table', async () => {
    for (const headers of [{}, { 'X-Rucio-Auth-Token': 'none' }]) {
      const answer = await nobody.get('/health', { headers });
      expect([answer.status, JSON.parse(answer.text)]).toEqual([200, { status: 'ok' }]);
      expect(answer.headers.get('Cache-Control')).toMatch(/no-(cache|store)/);
    }
    expect((await call('HEAD', '/health', {})).status).toBe(200);
    expect((await nobody.post('/health', {})).status).toBe(405);
  });
});
