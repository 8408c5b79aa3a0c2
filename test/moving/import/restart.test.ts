import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { explainFullDisk } from '../../../moving/import/full-disk.ts';
import { readSettings } from '../../../moving/import/options.ts';
import { UsageError } from '../../../moving/rucio/source.ts';
import { DataFolder } from '../../../moving/write/data-folder.ts';
import { program } from '../../support/programs.ts';
import { runHere, runProcess } from '../../support/run-program.ts';
import { shellEnvironment, startServerProcess } from '../../support/server-process.ts';
import { patience, volumeOf } from '../../support/volume.ts';
import { asOf, importInto, itemsOf, newFolder, tableName } from './imports.ts';
import { startPostgres, type TestPostgres } from './postgres.ts';
import { attach, did, disk, file, insert, lock, password, replica, rule, ruleIds } from './rows.ts';
import { smallRucio } from './small-rucio.ts';

const folder = newFolder();
let postgres: TestPostgres;

/** Files beside those of the small catalogue, so that there are several ranges. */
const fileCount = 1_100;

beforeAll(async () => {
  const many = Array.from({ length: fileCount }, (_value, n) => `many.${n}`);
  postgres = await startPostgres([
    ...smallRucio,
    did('many', 'D'),
    ...many.map((name) => file(name)),
    ...many.map((name) => attach('many', name)),
    ...many.map((name) => replica(name, disk, 'A')),
  ]);
});
afterAll(async () => {
  await postgres.close();
  folder.remove();
});

const importer = 'moving/main-import.ts';

/** Runs the program to its end. */
const run = (...args: string[]) => runHere(importer, args);

const time = new Date(asOf).toISOString();

describe('npm run import', () => {
  it(
    'goes on where it was killed: it leaves the items of an undisturbed import',
    async () => {
      const [undisturbed, killed] = [folder.in('undisturbed'), folder.in('killed')];
      const from = ['--from', postgres.url, '--parallel', '1', '--as-of', time];
      const begun = performance.now();
      const outcome = await runProcess(importer, [...from, '--to', `data:${undisturbed}`]);
      expect(outcome).toMatchObject({ code: 3 });
      const duration = performance.now() - begun;
      for (let kill = 1; kill <= volumeOf('importKills'); kill += 1) {
        const child = spawn(process.execPath, [program(importer), ...from, '--to', `data:${killed}`], {
          env: shellEnvironment(),
          stdio: 'ignore',
        });
        // A program that goes on where it stopped has less and less to do.
        await Promise.race([once(child, 'exit'), sleep(duration * (0.2 + 0.5 * Math.random()))]);
        child.kill('SIGKILL');
      }
      expect((await run(...from, '--to', `data:${killed}`)).code).toBe(3);
      expect(itemsOf(killed).length).toBeGreaterThan(fileCount * 3);
      expect(itemsOf(killed)).toEqual(itemsOf(undisturbed));
      expect(readFileSync(`${killed}.import-rejected.jsonl`)).toEqual(
        readFileSync(`${undisturbed}.import-rejected.jsonl`),
      );
    },
    patience(180_000),
  );

  it('says what would come with --dry-run, and writes nothing', async () => {
    const target = folder.in('nothing');
    const { code, output } = await run(
      '--from',
      postgres.url,
      '--to',
      `data:${target}`,
      '--dry-run',
      '--parallel',
      '1',
    );
    expect(code).toBe(3);
    expect(output).toMatch(/ dids +1,113 +1,112 +1 +0\n/);
    expect(output).toMatch(/ rse_usage_history +2 +1 +0 +1\n/);
    expect(output).toMatch(/ account_usage_history +2 +1 +0 +1\n/);
    expect(output).toContain('1 of dids: left out');
    expect(output).toContain('DIDs that wait for judge-evaluator of the old server: 1.');
    expect(existsSync(target)).toBe(false);
    expect(existsSync(`${target}.import-state`)).toBe(false);
  });

  it('takes sections one after the other with --only, and is complete with the last one', async () => {
    const [whole, parts] = [folder.in('undisturbed'), folder.in('parts')];
    const from = ['--from', postgres.url, '--parallel', '1', '--as-of', time, '--to', `data:${parts}`];
    const first = await run(...from, '--only', 'accounts,scopes');
    expect(first).toMatchObject({ code: 0, output: expect.stringContaining('Not complete') });
    expect((await run(...from)).code).toBe(3);
    expect(itemsOf(parts)).toEqual(itemsOf(whole));
  });
});

describe('a second run', () => {
  it('follows what was added, changed and deleted since, and leaves what a new import makes', async () => {
    const [followed, anew] = [folder.in('followed'), folder.in('anew')];
    const first = { url: postgres.url, statePath: `${followed}.import-state` };
    const before = await importInto(new DataFolder(followed, tableName), first);
    await postgres.run(
      file('a.new'),
      // More than a range, behind everything that was there.
      ...Array.from({ length: 1_200 }, (_value, n) => file(`zzz.${n}`)),
      file('zz.new'),
      replica('zz.new', disk, 'A'),
      attach('many', 'zz.new'),
      "DELETE FROM replicas WHERE name = 'many.7'; DELETE FROM contents WHERE child_name = 'many.7';",
      "DELETE FROM dids WHERE name = 'many.7'; UPDATE dids SET run_number = 9 WHERE name = 'ds';",
      "UPDATE did_meta SET meta = '{\"energy\": 15}'; UPDATE accounts SET status = 'DELETED' WHERE account = 'bob';",
      `DELETE FROM rules WHERE id = '${ruleIds.suspended}';`,
      // Another rule of the same identity, whose pointer has the same key as that of the deleted one.
      rule('99999999-0000-0000-0000-000000000000', 'open', 'O', { copies: 2 }),
      `DELETE FROM locks WHERE rule_id = '${ruleIds.stuck}'; DELETE FROM rules WHERE id = '${ruleIds.stuck}';`,
      lock('f6', disk, ruleIds.ok, 'O'),
      insert('configs', { section: 'a', opt: 'b', value: 'c', updated_at: '2026-01-01', created_at: '2026-01-01' }),
    );
    const second = await importInto(new DataFolder(followed, tableName), first);
    expect(second).toMatchObject({ run: 2, isComplete: true });
    expect(second.deleted).toBeGreaterThan(5);
    expect(second.written).toBeGreaterThan(1_200);
    // Of the rows only those are read again whose range has changed.
    expect(second.rows).toBeLessThan(before.rows + 1_200);
    await importInto(new DataFolder(anew, tableName), { url: postgres.url });
    expect(itemsOf(followed)).toEqual(itemsOf(anew));
    const third = await importInto(new DataFolder(followed, tableName), first);
    expect(third).toMatchObject({ run: 3, written: 0, deleted: 0, rows: 0 });
  });

  it('is refused on a catalogue that a server has changed since', async () => {
    const data = folder.in('followed');
    const server = await startServerProcess(['--data', data, '--threads', '0']);
    const login = { 'X-Rucio-Account': 'root', 'X-Rucio-Username': 'ddmlab', 'X-Rucio-Password': password };
    expect((await fetch(`${server.url}/auth/userpass`, { headers: login })).status).toBe(200);
    await server.stop();
    const again = importInto(new DataFolder(data, tableName), { url: postgres.url, statePath: `${data}.import-state` });
    await expect(again).rejects.toThrow('A server has changed the catalogue');
  });
});

describe('a mistake of the user ends with one sentence and the code 2', () => {
  const target = ['--to', `data:${folder.in('mistake')}`];

  it.each([
    [[], '--to is missing'],
    [['--to', 'elsewhere'], 'is not a target'],
    [['--to', 'table:T1'], "'T1' is no name of a table"],
    [target, '--from is missing'],
    [['--from', 'mysql://x/y', ...target], 'is not a URL like postgresql://'],
    [['--from', 'postgresql://x/y', '--only', 'dids,cats', ...target], 'There is no section cats'],
    [['--from', 'postgresql://x/y', '--parallel', '0', ...target], 'is not a number of ranges'],
    [['--from', 'postgresql://x/y', '--as-of', 'noon', ...target], 'is not a time'],
    [['--cats'], "Unknown option '--cats'"],
  ])('%s', (args, message) => {
    expect(() => readSettings(args)).toThrow(message);
    expect(() => readSettings(args)).toThrow(UsageError);
  });

  it('a host where nobody listens', async () => {
    const { code, output } = await run('--from', 'postgresql://x:y@127.0.0.1:1/rucio', ...target);
    expect(output).toBe(
      'The database at postgresql://127.0.0.1:1/rucio cannot be read. Nobody listens there: check host and port.\n',
    );
    expect(code).toBe(2);
  });

  it('a database that is not that of a Rucio server', async () => {
    await postgres.run('ALTER SCHEMA public RENAME TO elsewhere; CREATE SCHEMA public');
    const { code, output } = await runProcess(importer, ['--from', postgres.url, ...target]);
    await postgres.run('DROP SCHEMA public; ALTER SCHEMA elsewhere RENAME TO public');
    expect(output).toContain('is not that of a Rucio server');
    expect(output).not.toContain('secret');
    expect(code).toBe(2);
  });

  it('rules without the files that they lock', async () => {
    const wish = { url: postgres.url, only: ['rules'] };
    const rulesAlone = importInto(new DataFolder(folder.in('rules'), tableName), wish);
    await expect(rulesAlone).rejects.toThrow('The section rules needs the section dids');
  });

  it('a folder that holds another catalogue', async () => {
    const { code, output } = await run(
      '--from',
      postgres.url,
      '--parallel',
      '1',
      '--to',
      `data:${folder.in('anew')}`,
      '--state',
      folder.in('x'),
    );
    expect(output).toContain('holds a catalogue that this import has not begun');
    expect(code).toBe(2);
  });
});

it('a failure on a full disk names the disk, and leaves the code of a failure that a repeat may not meet', () => {
  const failure = new Error('the request has failed');
  const paths = ['/data/catalogue', '/state/catalogue.import-state'];
  expect(explainFullDisk(failure, paths)).toBe(failure);
  const explained = explainFullDisk(failure, paths, (path) => (path.startsWith('/state') ? 0 : 10 ** 9));
  expect(explained).toMatchObject({
    message: expect.stringContaining('The disk of /state/catalogue.import-state is full'),
  });
  expect(explained).not.toBeInstanceOf(UsageError);
});
