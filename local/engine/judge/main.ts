import { parseArgs } from 'node:util';

import { Engine } from '../src/engine.ts';
import { engineClientOptions } from '../src/request-handler.ts';
import { compareEngines } from './compare-engines.ts';
import { startDynamoDbLocal } from './dynamodb-local/start.ts';

const help = `npm run test:engine -- [options]      holds the embedded engine against AWS's DynamoDB Local

  --requests <number>   how many random requests both are sent (default: 20000)
  --seed <number>       repeats a run (default: SEED, or a new one, which is printed)
  --left <url>          another engine than the embedded one
  --right <url>         another engine than a DynamoDB Local of its own, which needs Java 17 or newer

Ends with 1 when they differ in what local/engine/judge/known-*.ts do not explain.`;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      left: { type: 'string' },
      right: { type: 'string' },
      seed: { type: 'string', default: process.env['SEED'] || String(Date.now() % 1_000_000_000) },
      requests: { type: 'string', default: '20000' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return console.log(help);
  const common = { region: 'us-east-1', credentials: { accessKeyId: 'judge', secretAccessKey: 'judge' } };
  const embedded = values.left === undefined ? new Engine() : undefined;
  const local = values.right === undefined ? await startDynamoDbLocal({ busy: true }) : undefined;
  try {
    const report = await compareEngines({
      left: {
        ...common,
        ...(embedded === undefined ? { endpoint: values.left ?? '' } : engineClientOptions(embedded)),
      },
      right: { ...common, endpoint: local?.endpoint ?? values.right ?? '' },
      seed: Number(values.seed),
      requests: Number(values.requests),
      say: (line) => console.log(line),
    });
    if (!report.agrees) process.exitCode = 1;
  } finally {
    embedded?.close();
    await local?.stop();
  }
}

await main();
