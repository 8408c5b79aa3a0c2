/** Old and new versions of the official client, each against servers of its own, with and without a slash behind the host. */
import { describe, expect, it } from 'vitest';

import { makeVenv } from '../../support/python-venv.ts';
import { clients } from './clients.ts';
import { type Count, countsPath, countTried, failuresOf, formatCounts } from './counts.ts';
import { runSteps } from './run-steps.ts';
import { steps } from './steps/index.ts';

/** Some seconds, and a minute more where the client has to be installed. */
const timeout = 600_000;

const ends = ['', '/'] as const;
const ways = clients.flatMap((client) =>
  client.spellings.flatMap((spelling) => ends.map((end) => ({ client, spelling, end }))),
);
const counts = new Map<(typeof ways)[number], Count>();
/** Versions that are installed or being installed. */
const installed = new Map<string, Promise<string>>();

function install(version: string, packages: readonly string[]): Promise<string> {
  const options = { name: `compat-rucio-${version}`, holds: `rucio-clients ${version}`, requirements: packages };
  const bin = installed.get(version) ?? makeVenv(options);
  installed.set(version, bin);
  return bin;
}

describe('versions of the official client', () => {
  for (const way of ways) {
    const { client, spelling, end } = way;
    const host = end === '' ? 'a host' : 'a host with a slash at its end';
    it.concurrent(
      `rucio-clients ${client.version} as ${spelling} with ${host}: commands exit, say and store as they should`,
      { timeout },
      async ({ expect: expectHere }) => {
        const tried = await runSteps(client, await install(client.version, client.packages), { spelling, end });
        counts.set(way, countTried(`rucio-clients ${client.version}`, `\`${spelling}\`, ${host}`, tried));
        expectHere(failuresOf(tried)).toEqual([]);
      },
    );
  }
});

it('the results are recorded for docs/compatibility.md (renew with -u)', async () => {
  const found = ways.flatMap((way) => counts.get(way) ?? []);
  expect(found.length).toBe(ways.length);
  const text = await formatCounts('versions', { commands: steps.map(({ name }) => name), counts: found });
  await expect(text).toMatchFileSnapshot(countsPath('versions'));
});
