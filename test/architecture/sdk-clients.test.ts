import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const clients = globSync('lib/**/*.ts', { cwd: root }).flatMap((file) => {
  const text = readFileSync(join(root, file), 'utf8');
  return text.includes("from '@aws-sdk/client-")
    ? [...text.matchAll(/new (\w+Client)\(([^;]*?)\)[,;]/gs)].map(([, name = '', options = '']) => ({
        file,
        name,
        options,
      }))
    : [];
});

it('each client of AWS has time limits, without which it waits for ever on a connection that nobody serves', () => {
  expect(clients.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['DynamoDBClient', 'EventBridgeClient', 'SecretsManagerClient']),
  );
  const unlimited = clients.filter(({ name, options }) => name !== 'TableClient' && !options.includes('networkLimits'));
  expect(unlimited.map(({ file, name }) => `${name} in ${file}`)).toEqual([]);
});
