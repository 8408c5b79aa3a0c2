import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { addStorage, logInAsRoot } from '../../test/support/laptop.ts';
import { shellEnvironment } from '../../test/support/server-process.ts';
import { judgeEnd } from './end.ts';
import { Model, quotaBytes, rses, smallRse } from './model.ts';
import { Site } from './site.ts';
import { Tally, User } from './user.ts';
import { Watcher } from './watcher.ts';
import { chooseAct } from './work.ts';

/*
 * Ten users of a server with real files: they upload, copy, read, extend and end datasets; the mover, the reaper and backups run.
 * In the first half the server is stopped and killed in turn every few minutes; in the middle it is upgraded; the second half is
 * one life, whose memory and descriptors must not grow. In the end everything is as the users believe. The program fails otherwise.
 */

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    /** Acts of all users in a second. */
    rate: { type: 'string', default: '3' },
    /** Datasets that are kept; more are ended. */
    living: { type: 'string', default: '300' },
    /** The `packaging/main.js` of the release of the first half; by default this source is packed. */
    before: { type: 'string' },
    /** Harms a file in the end, to show that it is found. */
    harm: { type: 'boolean', default: false },
  },
});
const [minutes, rate, living] = [values.minutes, values.rate, values.living].map(Number) as [number, number, number];
const accounts = Array.from({ length: 10 }, (_none, number) => `user${number}`);
const password = 'a password of a soak';
/** Restarts before the upgrade, of which the second, fourth ... are kills. */
const restarts = 6;
const minuteMs = 60_000;

const folder = realpathSync(await mkdtemp(join(tmpdir(), 'dapple-soak-')));
for (const rse of rses) mkdirSync(join(folder, 'storage', rse), { recursive: true });
const before = values.before === undefined ? pack() : resolve(values.before);
const site = await Site.open(folder, [before, 'start']);
const model = new Model();
const tally = new Tally();
const watcher = new Watcher({ site, model, tally });
const faults: string[] = [];

try {
  console.log(`first half: ${values.before ?? 'this source, packed'}; second half: this source`);
  const people = await prepare();
  const beganAt = performance.now();
  const endAt = beganAt + minutes * minuteMs;
  const interval = Math.min(minuteMs, (minutes * minuteMs) / 24);
  await Promise.all([...people.map((user) => work(user, endAt)), watcher.watch(endAt, interval), disturb(beganAt)]);
  faults.push(
    ...(await judgeEnd({ site, model, accounts, growth: watcher.growth(), harm: values.harm ? harm : undefined })),
  );
  console.log(watcher.describe());
  for (const line of faults.slice(0, 40)) console.log(line);
  console.log(`${faults.length} faults`);
  if (faults.length > 0) process.exitCode = 1;
} finally {
  await site.close('kill');
  rmSync(folder, { recursive: true, force: true });
}

/** Packs this source; returns its program. */
function pack(): string {
  const dist = join(folder, 'dist');
  execFileSync(process.execPath, ['packaging/pack.ts', dist, '--no-wheel'], { env: shellEnvironment(), stdio: 'pipe' });
  return join(dist, 'dapple/packaging/main.js');
}

/** Makes RSEs and accounts. */
async function prepare(): Promise<User[]> {
  const ask = await logInAsRoot(site.url);
  for (const rse of rses) {
    await addStorage(ask, rse, site.storage(rse));
    for (const [key, value] of Object.entries({ mover: 'posix', reaper: true, greedyDeletion: true })) {
      await ask('POST', `/rses/${rse}/attr/${key}`, { value });
    }
  }
  const people: User[] = [];
  for (const account of accounts) {
    await ask('POST', `/accounts/${account}`, { type: 'USER', email: `${account}@example.org` });
    const identity = { identity: account, authtype: 'USERPASS', password, email: `${account}@example.org` };
    await ask('POST', `/accounts/${account}/identities`, identity);
    await ask('POST', `/scopes/${account}/user.${account}`);
    for (const rse of rses) {
      const bytes = rse === smallRse ? quotaBytes : 1e12;
      await ask('POST', `/accounts/${account}/limits/local/${rse}`, { bytes });
    }
    people.push(new User(site.url, account, password, tally));
  }
  return people;
}

/** A user acts in random intervals until the end. */
async function work(user: User, endAt: number): Promise<void> {
  while (performance.now() < endAt) {
    await sleep((-Math.log(1 - Math.random()) * 1_000 * accounts.length) / rate);
    try {
      const oddity = await chooseAct(model, living)(user, model);
      if (oddity !== undefined) faults.push(oddity);
    } catch (error) {
      faults.push(String(error));
    }
    watcher.acts += 1;
  }
}

/** Stops and kills the server in turn in the first half, and upgrades it in the middle. */
async function disturb(beganAt: number): Promise<void> {
  const halfMs = (minutes * minuteMs) / 2;
  for (let number = 1; number <= restarts + 1; number += 1) {
    await sleep(Math.max(0, beganAt + (number * halfMs) / (restarts + 1) - performance.now()));
    const isUpgrade = number > restarts;
    const how = isUpgrade || number % 2 === 1 ? 'stop' : 'kill';
    await (isUpgrade ? site.upgrade() : site.restart(how));
    watcher.beginLife();
    console.log(`${isUpgrade ? 'upgrade' : how}: life ${site.lives}, ready after ${site.startTime.toFixed(1)} s`);
  }
}

function harm(): void {
  const first = readdirSync(site.storage(), { recursive: true, withFileTypes: true }).find((entry) => entry.isFile());
  if (first !== undefined) rmSync(join(first.parentPath, first.name));
}
