import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'engine-package-'));
const run = (command: string, args: readonly string[], cwd: string) =>
  execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

const program = `
import { Engine, engineClientOptions, serveEngine } from 'dynamodb-in-node';
const engine = new Engine();
const ask = async (operation, input) => JSON.parse((await engine.send(operation, JSON.stringify(input))).body);
await ask('CreateTable', {
  TableName: 'Things',
  BillingMode: 'PAY_PER_REQUEST',
  AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
  KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
});
await ask('PutItem', { TableName: 'Things', Item: { id: { S: 'one' } } });
const listener = await serveEngine(engine, 0);
const headers = { 'x-amz-target': 'DynamoDB_20120810.Scan', 'content-type': 'application/x-amz-json-1.0',
  authorization: 'AWS4-HMAC-SHA256 Credential=any/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=any',
  'x-amz-date': '20260101T000000Z' };
const response = await fetch(\`http://127.0.0.1:\${listener.port}/\`, { method: 'POST', headers, body: '{"TableName":"Things"}' });
console.log(JSON.stringify([await response.json(), typeof engineClientOptions(engine).requestHandler.handle]));
await listener.close(0);
engine.close();
`;

beforeAll(() => {
  const [{ filename }] = JSON.parse(
    run('npm', ['pack', '--json', '--silent', '--pack-destination', folder], join(import.meta.dirname, '..')),
  ) as [{ filename: string }];
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  run('npm', ['install', '--offline', '--no-audit', '--no-fund', join(folder, filename)], folder);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the package', () => {
  it('works in an empty project, in the process and as an endpoint', () => {
    writeFileSync(join(folder, 'program.js'), program);
    const answer = { Count: 1, Items: [{ id: { S: 'one' } }], ScannedCount: 1 };
    expect(JSON.parse(run(process.execPath, ['program.js'], folder))).toEqual([answer, 'function']);
  });

  it('has types', () => {
    writeFileSync(
      join(folder, 'typed.ts'),
      `import { Engine, type Transport } from 'dynamodb-in-node';\nexport const transport: Transport = new Engine();\n`,
    );
    const tsc = join(import.meta.dirname, '../../../node_modules/.bin/tsc');
    const args = ['--noEmit', '--strict', '--module', 'nodenext', '--skipLibCheck', '--types', '', 'typed.ts'];
    expect(run(tsc, args, folder)).toBe('');
  });
});
