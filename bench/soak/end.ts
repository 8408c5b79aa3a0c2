/** Judges a soak when nobody works any more. */
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { checkData } from '../../test/local/crash/check-data.ts';
import { shellEnvironment } from '../../test/support/server-process.ts';
import { compareCounts } from './compare.ts';
import { countKinds } from './database.ts';
import { copiesOf, countUnsettled, judgeCatalogue, judgeStorage, judgeUsage } from './judge.ts';
import type { Model } from './model.ts';
import { Site } from './site.ts';
import { Tally, User } from './user.ts';

/** The delay within which everything must be settled: deletions, copies, expiry. */
const settleMs = 10 * 60_000;
const pauseMs = 2_000;

interface End {
  readonly site: Site;
  readonly model: Model;
  readonly accounts: readonly string[];
  /** What has grown. */
  readonly growth: readonly string[];
  /** Harms something behind the back of the server. */
  readonly harm: (() => void) | undefined;
}

/** Waits until nothing goes on, stops the server and judges all that it has kept; returns the faults. */
export async function judgeEnd({ site, model, accounts, growth, harm }: End): Promise<string[]> {
  const root = asRoot(site);
  const judged = { root, model, folderOf: (rse: string) => site.storage(rse) };
  const endAt = performance.now() + settleMs;
  const began = performance.now();
  while ((await countUnsettled(judged)) > 0 && performance.now() < endAt) await sleep(pauseMs);
  console.log(`settled after ${((performance.now() - began) / 1_000).toFixed(0)} s`);
  harm?.();
  const faults = [
    ...growth,
    ...(await judgeCatalogue(judged)),
    ...(await judgeStorage(judged)),
    ...(await judgeUsage(judged, accounts)),
  ];
  await site.close('stop');
  faults.push(...judgeDatabase(site, model));
  faults.push(...run('local/recount.ts', '--data', site.data));
  faults.push(...site.lines.filter((line) => /^job .*: ended with /.test(line)));
  faults.push(...(await judgeBackup(site, model)));
  return faults;
}

/** The database is sound, and has nothing but what lives and histories. */
function judgeDatabase(site: Site, model: Model): string[] {
  const kinds = countKinds(site.database);
  console.log('kind | items | KB');
  for (const [kind, { count, bytes }] of [...kinds].toSorted(([, one], [, other]) => other.bytes - one.bytes)) {
    console.log(`${kind} | ${count} | ${(bytes / 1e3).toFixed(0)}`);
  }
  const rules = model.living.reduce((sum, dataset) => sum + dataset.rules.size, 0);
  const copies = copiesOf(model);
  const wanted = { 'R replica': copies, RULE: rules, 'D LOCK': rules, TRANSFERS: 0, 'R DELETABLE': 0, WORK: 0 };
  const counts = new Map(Array.from(kinds, ([kind, { count }]) => [kind, count]));
  return [
    ...checkData(site.database),
    ...compareCounts(new Map(Object.entries(wanted)), counts).map((fault) => `items ${fault}`),
  ];
}

/** A backup of the end, loaded and served, has what the catalogue has. */
async function judgeBackup(site: Site, model: Model): Promise<string[]> {
  const [to, copy] = [join(site.folder, 'last'), join(site.folder, 'copy')];
  const faults = [
    ...run('moving/main-export.ts', '--from', site.data, '--to', to),
    ...run('moving/main-load.ts', '--from', to, '--to', join(copy, 'data')),
  ];
  if (faults.length > 0) return faults;
  mkdirSync(join(copy, 'storage'), { recursive: true });
  const second = await Site.open(copy, undefined, ['--no-tasks']);
  try {
    const root = asRoot(second);
    return (await judgeCatalogue({ root, model })).map((fault) => `in the backup: ${fault}`);
  } finally {
    await second.close('kill');
  }
}

function asRoot(site: Site): User {
  return new User(site.url, 'root', 'secret', new Tally());
}

function run(...program: readonly string[]): string[] {
  try {
    execFileSync(process.execPath, program, { env: shellEnvironment(), stdio: 'pipe', maxBuffer: 1e8 });
    return [];
  } catch (error) {
    return [`${program.join(' ')}: ${String((error as { stdout?: Buffer }).stdout)} ${String(error)}`];
  }
}
