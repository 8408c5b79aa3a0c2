import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { QueryCommand } from '@aws-sdk/client-dynamodb';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { clock } from '../../lib/clock.ts';
import { setEnvironment } from '../../local/environment.ts';
import { localClient } from '../../local/local-client.ts';
import { openEngine } from '../../local/open-engine.ts';
import { createTable } from '../../local/table.ts';

const twoHours = 7_200_000;
let folder: string;

beforeEach(() => {
  setEnvironment({ tableName: 'Dapple' });
  folder = mkdtempSync(join(tmpdir(), 'dapple-clock-'));
});
afterEach(() => {
  vi.restoreAllMocks();
  clock.restart();
  rmSync(folder, { recursive: true });
});

it.each([{ stream: true }, { stream: false }])(
  'a table made under a clock that was then set back can be queried by its indexes ($stream)',
  async ({ stream }) => {
    const now = Date.now();
    const wall = vi.spyOn(Date, 'now').mockReturnValue(now + twoHours);
    const ahead = openEngine(folder);
    const first = localClient(ahead.client);
    await createTable(first, 'Dapple', { stream });
    first.destroy();
    ahead.close();

    wall.mockReturnValue(now);
    clock.restart();
    const engine = openEngine(folder);
    const client = localClient(engine.client);
    const query = new QueryCommand({
      TableName: 'Dapple',
      IndexName: 'GSI1',
      KeyConditionExpression: 'GSI1PK = :pk',
      ExpressionAttributeValues: { ':pk': { S: 'x' } },
    });
    expect((await client.send(query)).Count).toBe(0);
    expect(clock.now()).toBeGreaterThanOrEqual(now + twoHours);
    client.destroy();
    engine.close();
  },
);
