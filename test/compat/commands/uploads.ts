/** `rucio upload …`, and the way of a file from there to a second RSE and back. */
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect } from 'vitest';

import { list, newStorageRse } from '../../support/replicas.ts';
import { stateOf } from '../../support/replication.ts';
import { allow, linesOf } from '../../support/rules.ts';
import { asRoot, newScope, uniqueName } from '../../support/server.ts';
import { command, expectSuccess } from '../support/cases.ts';
import { tableRows } from '../support/client-home.ts';
import { root, user } from '../support/users.ts';

const digest = async (path: string) =>
  createHash('sha256')
    .update(await readFile(path))
    .digest('hex');

/** Declares the cases. */
export function uploadCommands(): void {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dapple-upload-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  /** An RSE in a folder of its own that an account may use. */
  async function newStorage(account: string): Promise<string> {
    const rse = await newStorageRse({ prefix: `${folder}/${uniqueName('storage')}` });
    await allow(account, rse);
    return rse;
  }

  /** Files on disk, of different content. */
  async function newFiles(count: number): Promise<{ name: string; path: string }[]> {
    const own = join(folder, uniqueName('local'));
    await mkdir(own);
    return Promise.all(
      Array.from({ length: count }, async (_none, index) => {
        const name = uniqueName('file');
        await writeFile(join(own, name), `content ${index} of ${name}\n`.repeat(1 + index * 1_000));
        return { name, path: join(own, name) };
      }),
    );
  }

  const rulesOf = async (scope: string, name: string) => linesOf(`/dids/${scope}/${name}/rules`);

  describe('uploads', () => {
    for (const [who, person] of [
      ['root', root],
      ['an ordinary user with a limit', user],
    ] as const) {
      command(
        'upload',
        `${who} uploads files into a new dataset, copies them to a second RSE and downloads them`,
        async () => {
          const scope = await newScope({ owner: person.account });
          const [one, two] = [await newStorage(person.account), await newStorage(person.account)];
          const [files, dataset] = [await newFiles(3), uniqueName('dataset')];
          const names = files.map(({ name }) => name).toSorted();
          const paths = files.map(({ path }) => path).join(' ');
          const { stderr } = await person.rucio(`upload --rse ${one} --scope ${scope} ${scope}:${dataset} ${paths}`);
          expect(stderr).not.toMatch(/ERROR|WARNING/);

          const [uploaded] = await rulesOf(scope, dataset);
          expect(uploaded).toMatchObject({ rse_expression: one, account: person.account });
          await expect.poll(() => stateOf(uploaded?.id ?? '')).toBe('OK 3/0/0');

          const added = await person.rucio(`rule add ${scope}:${dataset} --copies 1 --rses ${two}`);
          const id = expectSuccess(added).stdout.trim();
          expect(id).toMatch(/^[0-9a-f]{32}$/);
          expect(await stateOf(id)).toBe('REPLICATING 0/3/0');
          const moved = await root.python('mover', two);
          expect(moved).toMatchObject({ status: 0, stdout: expect.stringMatching(/^(\S+ copied\n){3}$/), stderr: '' });
          expect(await stateOf(id)).toBe('OK 3/0/0');
          expect(expectSuccess(await person.rucio(`rule show ${id}`)).stdout).toMatch(/State: +OK/);

          const shown = tableRows(expectSuccess(await person.rucio(`replica list dataset ${scope}:${dataset}`)));
          expect(shown.map((row) => row.join(' ')).toSorted()).toEqual([`${one} 3 3`, `${two} 3 3`].toSorted());
          const listed = tableRows(expectSuccess(await person.rucio(`replica list file ${scope}:${dataset}`)));
          expect(listed.map(([, name, , , pfn]) => `${name} ${pfn?.split(':')[0]}`).toSorted()).toEqual(
            names.flatMap((name) => [one, two].map((rse) => `${name} ${rse}`)).toSorted(),
          );

          const download = async (rse: string) => {
            const target = join(folder, uniqueName('got'));
            const outcome = await person.rucio(`download ${scope}:${dataset} --dir ${target} --rses ${rse}`);
            expect(outcome.stdout).toMatch(/Downloaded files: +3\n/);
            for (const { name, path } of files) {
              expect(await digest(join(target, dataset, name))).toBe(await digest(path));
            }
          };
          await Promise.all([one, two].map(download));
        },
      );
    }

    command(
      'rule show',
      'a copy that fails is tried again, and its request tells what the mover has reported',
      async () => {
        const scope = await newScope({ owner: user.account });
        const [one, two] = [await newStorage(user.account), await newStorage(user.account)];
        const [file] = await newFiles(1);
        await user.rucio(`upload --rse ${one} --scope ${scope} ${file?.path}`);
        const [line] = await list(scope, [file?.name ?? '']);
        await rm(new URL(line?.rses[one]?.[0] ?? '').pathname);
        const added = await user.rucio(`rule add ${scope}:${file?.name} --copies 1 --rses ${two}`);
        const id = expectSuccess(added).stdout.trim();
        const moved = await root.python('mover', two);
        expect(moved).toMatchObject({ status: 0, stdout: expect.stringContaining('No such file or directory') });
        expect(await stateOf(id)).toBe('REPLICATING 0/1/0');
        const request = await asRoot().get(`/requests/${scope}/${file?.name}/${two}`);
        expect(request.json()).toMatchObject({ retry_count: 1, err_msg: expect.stringContaining('No such file') });
        expect(expectSuccess(await user.rucio(`rule show ${id}`)).stdout).toMatch(/State: +REPLICATING/);
      },
    );

    command(
      'upload',
      'a single file gets a rule of its own; without a limit it stays behind as a copy under way',
      async () => {
        const scope = await newScope();
        const [rse, forbidden] = [
          await newStorage('root'),
          await newStorageRse({ prefix: `${folder}/${uniqueName('none')}` }),
        ];
        const [good, bad] = await newFiles(2);
        await root.rucio(`upload --rse ${rse} --scope ${scope} ${good?.path}`);
        const [rule] = await rulesOf(scope, good?.name ?? '');
        expect(await stateOf(rule?.id ?? '')).toBe('OK 1/0/0');
        const { stderr } = await root.rucio(`upload --rse ${forbidden} --scope ${scope} ${bad?.path}`);
        expect(stderr).toContain('There is insufficient quota on any of the target RSE');
        const [line] = await list(scope, [bad?.name ?? ''], { all_states: true });
        expect(line?.states).toEqual({ [forbidden]: 'COPYING' });
        expect(await rulesOf(scope, bad?.name ?? '')).toEqual([]);
      },
    );
  });
}
