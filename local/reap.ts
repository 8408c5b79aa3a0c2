import type { ReapedRse } from '../lib/background/reap-rse.ts';
import type { ReapingReport } from '../lib/background/report-reaping.ts';
import { clock } from '../lib/clock.ts';
import type { StorageFolders } from '../lib/movers/posix/safe-path.ts';
import type { LocalEngine } from './open-engine.ts';
import { toggle, type Values } from './option.ts';
import { describeTable, openEngineOf, runProgram } from './programs.ts';
import { dataOption, helpOption, rseOption, storageIn, storageOption } from './shared-options.ts';

const options = {
  rse: rseOption,
  delete: toggle('--delete', 'deletes it, from the RSEs for which the reaper is switched on'),
  data: dataOption('the data of a local server, which must not run'),
  storage: storageOption('folder in which the files of RSEs with the scheme file may be deleted'),
  help: helpOption,
};

async function main(values: Values<typeof options>): Promise<void> {
  const engine = openEngineOf(values.data);
  try {
    const storage = values.storage ?? storageIn(values.data);
    const { openStorageFolders } = await import('../lib/movers/posix/safe-path.ts');
    const wish = { names: values.rse, folders: await openStorageFolders(storage) };
    const lines = values.delete ? await reap(engine, wish) : await report(engine, wish);
    for (const line of lines) console.log(line);
    if (lines.length === 0) console.log(values.delete ? 'The reaper is switched on for no such RSE.' : 'No such RSE.');
  } finally {
    engine?.close();
  }
}

interface Wish {
  readonly names: readonly string[] | undefined;
  readonly folders: StorageFolders;
}

async function report(engine: LocalEngine | undefined, wish: Wish): Promise<string[]> {
  const { openStore } = await import('../lib/store/open-store.ts');
  const { reportReaping } = await import('../lib/background/report-reaping.ts');
  const store = openStore(engine?.client);
  return Array.fromAsync(reportReaping({ store, now: clock.now() }, wish), describeReport);
}

function describeReport({
  rse,
  isReaped,
  hasProtocol,
  isElsewhere,
  wanted,
  replicas,
  bytes,
  restUntil,
}: ReapingReport): string {
  const reasons = {
    everything: 'everything that may be deleted (greedyDeletion)',
    space: `${wanted.kind === 'space' ? wanted.bytes : 0} bytes are missing to MinFreeSpace`,
    obsolete: 'no space is missing, so only what may be deleted at once',
  };
  const notes = [
    ...(isReaped ? [] : ['the reaper is not switched on']),
    ...(hasProtocol ? [] : ['Dapple speaks none of its protocols']),
    ...(isElsewhere ? ['its files are below no folder that --storage names'] : []),
    ...(restUntil === undefined ? [] : [`it is left alone until ${new Date(restUntil).toISOString()}`]),
  ];
  return `${rse}: ${countReplicas(replicas)}, ${bytes} bytes; ${reasons[wanted.kind]}${notes.map((note) => `; ${note}`).join('')}`;
}

async function reap(engine: LocalEngine | undefined, wish: Wish): Promise<string[]> {
  const { openStore } = await import('../lib/store/open-store.ts');
  const { reapRses } = await import('../lib/background/reap-rses.ts');
  const store = openStore(engine?.client);
  const { rses } = await reapRses({ store, now: clock.now() }, wish);
  return rses.map(describeReaped);
}

function describeReaped({ rse, deleted, bytes, failed, ended }: ReapedRse): string {
  const ends = {
    done: 'nothing is left to do',
    unfinished: 'the rest is left to the next run',
    stopped: 'it was switched off or changed meanwhile',
    resting: 'it is left alone for a while, since its storage refuses',
    busy: 'another process deletes from it',
    noProtocol: 'Dapple speaks none of its protocols',
    elsewhere: 'its files are below no folder that --storage names',
  };
  return `${rse}: ${countReplicas(deleted)} deleted, ${bytes} bytes; ${failed} not deleted; ${ends[ended]}`;
}

const countReplicas = (count: number) => `${count} ${count === 1 ? 'replica' : 'replicas'}`;

await runProgram({
  usage: 'npm run reap -- [options]',
  summary: 'says what the reaper would delete from the storage of RSEs',
  options,
  notes: [describeTable('read and write', 'docs/how-to/free-space.md says what is deleted.')],
  run: main,
});
