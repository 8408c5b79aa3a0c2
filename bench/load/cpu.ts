import { parseArgs } from 'node:util';

import { writeMarkedPart } from '../../test/support/marked-part.ts';
import type { ServerProcess } from '../../test/support/server-process.ts';
import { Catalogue, standardSize } from './catalogue.ts';
import { LoadClient } from './client.ts';
import { renderTable } from './compare.ts';
import { waitUntilIdle } from './measure.ts';
import { readCredentials } from './options.ts';
import { withOwnServer } from './own-server.ts';
import { describeMachine, ProcessorTime } from './processor-time.ts';
import { profileRow, type RowProfile } from './profile-row.ts';
import { Profiler } from './profiler.ts';
import { Requests } from './requests.ts';
import { idleWaitSeconds, listRows } from './run.ts';
import { seed } from './seed.ts';
import { format } from './statistics.ts';

/*
 * Where the processor time of a request goes: starts a Dapple, sends the requests of a row over one connection, as a function
 * of Lambda gets them, and prints the shares of our folders, of packages and of Node.
 */

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '^(get DID|list content 1,000 files|1,000 files registered and attached)$' },
    files: { type: 'string', default: '3000' },
    seconds: { type: 'string', default: '8' },
    functions: { type: 'string', default: '0' },
    write: { type: 'boolean', default: false },
  },
});

/** Parts with less than this in all rows are added up. */
const minShare = 0.015;

const credentials = readCredentials();
const profiles = await withOwnServer(credentials, profileRows, { NODE_OPTIONS: '--inspect=127.0.0.1:0' });
if (profiles.length === 0) throw new Error(`no row fits ${values.rows}`);
const text = renderProfiles(profiles);
console.log(text);
for (const profile of profiles) printFunctions(profile, Number(values.functions));
if (values.write) await writeMarkedPart('docs/figures.md', 'npm run bench -- cpu', text);

async function profileRows(server: ServerProcess): Promise<RowProfile[]> {
  const catalogue = new Catalogue({ ...standardSize, files: Number(values.files) });
  const client = new LoadClient(server.url, credentials);
  const profiler = await Profiler.connect(server.said);
  try {
    console.error('seeding');
    await seed(client, catalogue);
    await waitUntilIdle(ProcessorTime.of([server.pid]), idleWaitSeconds);
    const requests = new Requests(catalogue, 'cpu');
    const found: RowProfile[] = [];
    for (const row of listRows(catalogue, { only: new RegExp(values.rows) })) {
      console.error(row.name);
      found.push(
        await profileRow(row, { client, requests, pid: server.pid, profiler, seconds: Number(values.seconds) }),
      );
    }
    return found;
  } finally {
    profiler.close();
    await client.close();
  }
}

/** The processor time of all parts, as Markdown. */
function renderProfiles(found: readonly RowProfile[]): string {
  const names = [...new Set(found.flatMap(({ parts }) => [...parts.keys()]))];
  const sumOf = (name: string) => found.reduce((sum, { parts }) => sum + (parts.get(name) ?? 0), 0);
  const isLarge = (name: string) => found.some(({ parts }) => (parts.get(name) ?? 0) >= minShare);
  const large = names.filter(isLarge).sort((one, other) => sumOf(other) - sumOf(one));
  const small = names.filter((name) => !isLarge(name));
  const rowOf = (name: string, shareOf: (profile: RowProfile) => number) => {
    const cells = found.map((profile) => {
      const share = shareOf(profile);
      return `${format(share * profile.cpuMs)} (${(share * 100).toFixed(0)}%)`;
    });
    return [name, ...cells];
  };
  const rows = [
    rowOf('all', () => 1),
    ...large.map((name) => rowOf(name, ({ parts }) => parts.get(name) ?? 0)),
    rowOf('others', ({ parts }) => small.reduce((sum, name) => sum + (parts.get(name) ?? 0), 0)),
  ];
  const header = ['Part', ...found.map(({ name }) => name)];
  const date = new Date().toISOString().slice(0, 10);
  return `On ${date}; ${describeMachine()}. Processor time of one request in ms.\n\n${renderTable(header, rows)}`;
}

function printFunctions({ name, cpuMs, functions }: RowProfile, count: number): void {
  if (count === 0) return;
  console.log(`\n${name}`);
  for (const [what, share] of [...functions].slice(0, count)) {
    console.log(`${format(share * cpuMs).padStart(8)} ms ${(share * 100).toFixed(1).padStart(5)}%  ${what}`);
  }
}
