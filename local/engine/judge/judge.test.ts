import { afterAll, expect, it } from 'vitest';

import { serveEngine } from '../src/endpoint.ts';
import { Engine } from '../src/engine.ts';
import { engineClientOptions } from '../src/request-handler.ts';
import type { Transport } from '../src/transport.ts';
import { compareEngines } from './compare-engines.ts';

const common = { region: 'us-east-1', credentials: { accessKeyId: 'judge', secretAccessKey: 'judge' } };
const closing: (() => unknown)[] = [];
afterAll(async () => {
  for (const close of closing) await close();
});

/** Compares the embedded engine with itself behind a port, whose answers `change` modifies. */
async function judge(change: (operation: string, body: string) => string) {
  const [left, right] = [new Engine(), new Engine()];
  const changed: Transport = {
    send: async (operation, text) => {
      const answer = await right.send(operation, text);
      return { ...answer, body: change(operation, answer.body) };
    },
  };
  const listener = await serveEngine(changed, 0);
  closing.push(
    () => listener.close(0),
    () => right.close(),
    () => left.close(),
  );
  return compareEngines({
    left: { ...common, ...engineClientOptions(left) },
    right: { ...common, endpoint: `http://127.0.0.1:${listener.port}` },
    seed: 1,
    requests: 100,
    say: () => {},
  });
}

it('finds no difference between the engine in the process and the same engine behind a port', async () => {
  const report = await judge((_operation, body) => body);
  expect(report.findings).toEqual([]);
  expect(report.agrees).toBe(true);
});

it('finds a difference in an answer', async () => {
  const report = await judge((operation, body) =>
    operation === 'Query' ? body.replace(/"Count":\d+/, '"Count":-1') : body,
  );
  expect(report.findings.map(({ kind }) => kind)).toContainEqual(expect.stringMatching(/^Query \| Count/));
  expect(report.agrees).toBe(false);
});
