import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { type ServerProcess, startServerProcess } from '../../support/server-process.ts';
import { differences } from './differences.ts';
import { askAll, readAnswers } from './fixture.ts';

let server: ServerProcess;
beforeAll(async () => {
  server = await startServerProcess(['--in-memory']);
});
afterAll(() => server.stop());

const needed = new Set<string>();

describe('a path', () => {
  it('is answered as a real Rucio answers it, or the difference has its reason', async () => {
    const recorded = await readAnswers();
    expect(recorded.size).toBeGreaterThan(500);
    const unexplained: string[] = [];
    for await (const { request, answer } of askAll(server.url)) {
      const line = `${request}: ${recorded.get(request) ?? 'never recorded'} -> ${answer}`;
      if (recorded.get(request) === answer) continue;
      const difference = differences.find(({ lines }) => lines.test(line));
      if (difference === undefined) unexplained.push(line);
      else needed.add(difference.reason);
    }
    expect(unexplained).toEqual([]);
  });

  it('needs every reason', () => {
    expect(differences.map(({ reason }) => reason).filter((reason) => !needed.has(reason))).toEqual([]);
  });
});
