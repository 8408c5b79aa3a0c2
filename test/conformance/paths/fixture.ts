import { readFile, writeFile } from 'node:fs/promises';

import { replay } from '../replay.ts';
import { compared, paths } from './targets.ts';

const file = new URL('../../fixtures/rucio/paths.json', import.meta.url);

/** Method and path of a request with the status and, if any, the exception class of the answer: `GET /x 404 NotFound`. */
type Line = string;

/** The recorded answers. */
interface PathFixture {
  /** The recorded server, for example `Rucio 41.0.0`. */
  readonly server: string;
  readonly answers: readonly Line[];
}

/** Sends all requests to a server that has nothing of the set-up, and yields what it answers. */
export async function* askAll(baseUrl: string): AsyncGenerator<{ request: string; answer: string }> {
  for await (const { step, answer } of replay(paths, baseUrl)) {
    if (!compared.has(step.name)) {
      if (answer.status >= 300) throw new Error(`${step.name}: ${answer.status} ${answer.exceptionMessage}`);
      continue;
    }
    yield { request: step.name, answer: [answer.status, answer.exceptionClass ?? []].flat().join(' ') };
  }
}

/** The recorded answers by request. */
export async function readAnswers(): Promise<ReadonlyMap<string, string>> {
  const { answers } = JSON.parse(await readFile(file, 'utf8')) as PathFixture;
  return new Map(
    answers.map((line) => {
      const [, request = '', answer = ''] = /^(.*?) (\d{3}(?: \w+)?)$/s.exec(line) ?? [];
      return [request, answer] as const;
    }),
  );
}

/** Stores the answers of a server. */
export async function writeAnswers(fixture: PathFixture): Promise<void> {
  await writeFile(file, `${JSON.stringify(fixture, null, 1)}\n`);
}
