/** `npm run bench -- <name> [options]`: runs a measurement. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/** The program of each measurement with its first arguments, and what it measures. */
const measurements: Readonly<Record<string, { readonly run: readonly string[]; readonly what: string }>> = {
  access: {
    run: ['table/main.ts', '--repetitions', '0'],
    what: 'units and round trips of each access pattern, with budgets',
  },
  'cold-start': { run: ['cold-start/main.ts'], what: 'load time and first request of each bundle' },
  contention: { run: ['table/contention.ts'], what: 'writes that meet' },
  cpu: { run: ['load/cpu.ts'], what: 'processor time of requests' },
  dataset: { run: ['table/large-dataset.ts'], what: 'a dataset of many files' },
  fleet: { run: ['table/fleet.ts'], what: 'many RSEs' },
  load: { run: ['load/main.ts'], what: 'requests a second, also beside another server' },
  moves: { run: ['table/moves.ts'], what: 'copies between RSEs' },
  'stream-moves': {
    run: ['table/stream-moves.ts'],
    what: 'copies from each kind of storage to each, with faults and kills',
  },
  rule: { run: ['table/large-rule.ts'], what: 'a rule on a large dataset' },
  saturation: {
    run: ['saturation/main.ts'],
    what: 'what saturates as load grows, in virtual time',
  },
  soak: { run: ['soak/main.ts'], what: 'an hour of ten users with real files, restarts, kills and an upgrade' },
  stream: { run: ['table/large-stream.ts'], what: 'memory of long lists' },
  subscription: { run: ['table/subscription-flow.ts'], what: 'new DIDs with subscriptions' },
  table: {
    run: ['table/main.ts', '--files', '1000,10000,100000,1000000'],
    what: 'access patterns by size of the catalogue',
  },
};

const [name = '', ...args] = process.argv.slice(2);
const measurement = measurements[name];
if (measurement === undefined) {
  console.log('npm run bench -- <name> [options]\n');
  for (const [known, { what }] of Object.entries(measurements)) console.log(`  ${known.padEnd(13)} ${what}`);
  process.exitCode = name === '' || name === '--help' ? 0 : 2;
} else {
  const [program = '', ...first] = measurement.run;
  const env = name === 'moves' ? { ...process.env, LOG_LEVEL: 'ERROR' } : process.env;
  const all = [join(import.meta.dirname, program), ...first, ...args];
  process.exitCode = spawnSync(process.execPath, all, { stdio: 'inherit', env }).status ?? 1;
}
