/** `rucio replica …` and `rucio download` */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { afterAll, beforeAll, describe, expect } from 'vitest';

import { expectStatus, type Line, list, newStorageRse, register } from '../../support/replicas.ts';
import { allow, newRule } from '../../support/rules.ts';
import { asRoot, newScope, uniqueName } from '../../support/server.ts';
import { command, expectFailure, expectLogged, expectPrinted, expectSuccess } from '../support/cases.ts';
import { tableRows } from '../support/client-home.ts';
import { root, user } from '../support/users.ts';

/** Content of the files, and the way in which they are registered. */
const text = 'Wikipedia';
const content = { bytes: 9, adler32: '11e60398' };

/** Declares the cases. */
export function replicaCommands(): void {
  let scope: string;
  let folder: string;
  beforeAll(async () => {
    scope = await newScope();
    folder = await mkdtemp(join(tmpdir(), 'dapple-storage-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const newStorage = () => newStorageRse({ prefix: `${folder}/${uniqueName('storage')}` });

  /** New files with replicas on RSEs. */
  async function newFiles(rses: readonly string[], count: number): Promise<string[]> {
    const names = Array.from({ length: count }, () => uniqueName('file'));
    await Promise.all(rses.map((rse) => register(rse, scope, names, content)));
    return names;
  }

  /** A new dataset of these files. */
  async function newDataset(names: readonly string[]): Promise<string> {
    const name = uniqueName('dataset');
    expectStatus(await asRoot().post(`/dids/${scope}/${name}`, { type: 'DATASET' }), 201);
    const dids = names.map((file) => ({ scope, name: file }));
    expectStatus(await asRoot().post(`/dids/${scope}/${name}/dids`, { dids }), 201);
    return name;
  }

  const read = async (name: string) => (await list(scope, [name], { all_states: true }))[0] as Line;
  const pfn = async (name: string) => Object.keys((await read(name)).pfns)[0] ?? '';
  const states = async (...names: string[]) =>
    Promise.all(names.map(async (name) => Object.values((await read(name)).states)));

  describe('replicas', () => {
    command(
      'replica list file',
      'lists where files are, with PFNs, states, as metalink; an unknown DID fails',
      async () => {
        const rse = await newStorage();
        const names = await newFiles([rse], 2);
        const dataset = await newDataset(names);
        const rows = tableRows(expectSuccess(await user.rucio(`replica list file ${scope}:${dataset}`)));
        const where = await Promise.all(names.toSorted().map(async (name) => [name, await pfn(name)] as const));
        expect(rows).toEqual(where.map(([name, path]) => [scope, name, '9.000 B', '11e60398', `${rse}: ${path}`]));
        const [[name, path] = []] = where;
        expectPrinted(await user.rucio(`replica list file --pfns ${scope}:${name}`), `${path}`);
        const all = await user.rucio(`replica list file --all-states --rses ${rse} --sort random ${scope}:${name}`);
        expect(tableRows(expectSuccess(all))).toEqual([[scope, name, '9.000 B', '11e60398', `(A) ${rse}: ${path}`]]);
        expectPrinted(await user.rucio(`replica list file --metalink ${scope}:${name}`), /^<\?xml[^]*<\/metalink>$/);
        expect(tableRows(await user.rucio(`replica list file --protocols davs ${scope}:${name}`))).toEqual([]);
        expectFailure(await user.rucio(`replica list file ${scope}:none`), 1, `'${scope}:none' not found`);
      },
    );

    command(
      'replica list dataset',
      'counts the files of a dataset where a rule keeps it, or on every RSE, and lists the datasets of an RSE',
      async () => {
        const [one, two] = [await newStorage(), await newStorage()];
        const names = await newFiles([one], 2);
        await register(two, scope, names.slice(1), content);
        const dataset = await newDataset(names);
        await allow('root', two);
        await newRule({ scope, name: dataset }, two);
        const rows = [`${one} 2 2`, `${two} 1 2`];
        for (const [options, expected] of [
          ['', rows.slice(1)],
          ['--deep ', rows],
        ] as const) {
          const outcome = await user.rucio(`replica list dataset ${options}${scope}:${dataset}`);
          const shown = tableRows(expectSuccess(outcome)).map((row) => row.join(' '));
          expect(shown.toSorted()).toEqual(expected.toSorted());
        }
        expectPrinted(await user.rucio(`replica list dataset --rse ${two}`), new RegExp(`\n${scope}:${dataset}$`));
        expectFailure(await user.rucio(`replica list dataset ${scope}:none`), 1, `'${scope}:none' not found`);
      },
    );

    command('replica remove', 'lets a replica be deleted as soon as may be; an unknown one fails', async () => {
      const rse = await newStorage();
      const [name] = await newFiles([rse], 1);
      expectLogged(await root.rucio(`replica remove ${scope}:${name} --rse ${rse}`), 'Set tombstone successfully');
      const message = `Replica ${scope}:none on RSE ${rse} could not be found.`;
      expectFailure(await root.rucio(`replica remove ${scope}:none --rse ${rse}`), 1, message);
      expectFailure(await user.rucio(`replica remove ${scope}:${name} --rse ${rse}`), 2, 'can not set tombstones');
    });
  });

  describe('states of replicas', () => {
    command('replica state update bad', 'declares PFNs bad, or the files of a dataset; twice is told', async () => {
      const [one = '', ...names] = await newFiles([await newStorage()], 3);
      const declare = async () => root.rucio(`replica state update bad ${await pfn(one)} --reason burnt`);
      expectPrinted(await declare(), '');
      expectPrinted(await declare(), /Already declared/);
      const dataset = `${scope}:${await newDataset(names)}`;
      expectPrinted(await root.rucio(`replica state update bad ${dataset} --collection --reason burnt`), '');
      expect(await states(one, ...names)).toEqual([['BAD'], ['BAD'], ['BAD']]);
    });

    command('replica state update unavailable', 'makes PFNs unavailable for a time', async () => {
      const [name = ''] = await newFiles([await newStorage()], 1);
      const line = `replica state update unavailable ${await pfn(name)} --reason down --duration 3600`;
      expectPrinted(await root.rucio(line), /1 replicas successfully declared$/);
      expect(await states(name)).toEqual([['TEMPORARY_UNAVAILABLE']]);
    });

    command('replica state update quarantine', 'is a command that the client only refers to its library', async () => {
      const outcome = await root.rucio(`replica state update quarantine /dark --rse ${await newStorage()}`);
      expectFailure(outcome, 1, 'Cannot quarantine a replica from the CLI');
    });

    command('replica state list', 'lists suspicious replicas', async () => {
      const rse = await newStorage();
      const [name = ''] = await newFiles([rse], 1);
      expectStatus(await asRoot().post('/replicas/suspicious', { pfns: [await pfn(name)], reason: 'slow' }), 201);
      expectPrinted(await user.rucio(`replica state list suspicious --rses ${rse}`), new RegExp(` 1 +${name}$`));
    });
  });

  describe('downloads', () => {
    command('download', 'fetches the files of a dataset from a storage, and checks their checksums', async () => {
      const names = await newFiles([await newStorage()], 2);
      const paths = await Promise.all(names.map(async (name) => new URL(await pfn(name)).pathname));
      for (const path of paths) {
        await mkdir(dirname(path), { recursive: true });
        await writeFile(path, text);
      }
      const dataset = await newDataset(names);
      const download = () => root.rucio(`download ${scope}:${dataset} --dir ${folder}/got`);
      const { stdout } = await download();
      expect(stdout).toMatch(/Downloaded files: +2\n/);
      for (const name of names) {
        expect(await readFile(join(folder, 'got', dataset, name), 'utf8')).toBe(text);
      }
      expect((await download()).stdout).toMatch(/Files already found locally: +2\n/);
      await writeFile(paths[0] ?? '', 'damaged!!');
      const elsewhere = await root.rucio(`download ${scope}:${names[0]} --dir ${folder}/elsewhere`);
      expect(elsewhere.stderr).toContain('None of the requested files have been downloaded.');
    });
  });
}
