/** `rucio upload` and `rucio download` on an RSE with `sign_url`, against a real S3 server that checks signatures. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect } from 'vitest';

import { addProtocol, everywhere, expectStatus, newStorageRse } from '../../support/replicas.ts';
import { allow } from '../../support/rules.ts';
import { asRoot, type Client, newAccount, newScope, uniqueName } from '../../support/server.ts';
import { command } from '../support/cases.ts';
import { type S3Server, startS3Server, statusOf } from '../support/s3-server.ts';
import { root, user } from '../support/users.ts';

async function pfnOf(client: Client, scope: string, name: string): Promise<string> {
  const [line] = (await client.post('/replicas/list', { dids: [{ scope, name }] })).lines() as { pfns: object }[];
  return Object.keys(line?.pfns ?? {})[0] ?? '';
}

/** Declares the cases. */
export function signedUploadCommands(): void {
  let server: S3Server;
  let folder: string;
  let rse: string;
  const before = process.env['RSE_CREDENTIALS_FILE'];
  beforeAll(async () => {
    [server, folder] = [await startS3Server(), await mkdtemp(join(tmpdir(), 'dapple-signed-'))];
    rse = await newStorageRse({});
    await addProtocol(rse, 'https', {
      hostname: 'localhost',
      port: server.port,
      prefix: `/${server.bucket}/rucio`,
      impl: 'rucio.rse.protocols.webdav.NoRename',
      domains: everywhere,
    });
    expectStatus(await asRoot().post(`/rses/${rse}/attr/sign_url`, { value: 's3' }), 201);
    expectStatus(await asRoot().post(`/rses/${rse}/attr/skip_upload_stat`, { value: 'true' }), 201);
    expectStatus(await asRoot().post(`/rses/${rse}/attr/verify_checksum`, { value: 'false' }), 201);
    const file = join(folder, 'credentials.json');
    await writeFile(file, JSON.stringify({ [rse]: server.credentials }), { mode: 0o600 });
    process.env['RSE_CREDENTIALS_FILE'] = file;
  }, 600_000);
  afterAll(async () => {
    if (before === undefined) delete process.env['RSE_CREDENTIALS_FILE'];
    else process.env['RSE_CREDENTIALS_FILE'] = before;
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  });

  /** A file on disk. */
  async function newFile(): Promise<{ name: string; path: string; content: string }> {
    const name = uniqueName('signed');
    const [path, content] = [join(folder, name), `content of ${name}\n`.repeat(1_000)];
    await writeFile(path, content);
    return { name, path, content };
  }

  describe('signed URLs', () => {
    command('upload', 'an account without the attribute sign-url is denied, and nothing is stored', async () => {
      const scope = await newScope({ owner: user.account });
      await allow(user.account, rse);
      const file = await newFile();
      const denied = await user.rucio(`upload --rse ${rse} --scope ${scope} ${file.path}`);
      expect(denied.stderr).toMatch(/can not|Access/);
    });

    for (const [who, person] of [
      ['root', root],
      ['an account with the attribute sign-url', user],
    ] as const) {
      command('upload', `${who} uploads to an S3 server by signed URLs, and downloads from it`, async () => {
        await allow(person.account, rse);
        if (person === user) {
          expectStatus(
            await asRoot().post(`/accounts/${user.account}/attr/sign-url`, { key: 'sign-url', value: 'true' }),
            201,
          );
        }
        const scope = await newScope({ owner: person.account });
        const file = await newFile();
        const uploaded = await person.rucio(`upload --rse ${rse} --scope ${scope} ${file.path}`);
        expect(uploaded.stderr).not.toMatch(/ERROR|WARNING/);
        const target = join(folder, uniqueName('got'));
        const got = await person.rucio(`download ${scope}:${file.name} --dir ${target} --rses ${rse}`);
        expect(got.stdout).toMatch(/Downloaded files: +1\n/);
        expect(await readFile(join(target, scope, file.name), 'utf8')).toBe(file.content);

        // Everybody may see the PFN, but only who may sign sees one that can be read.
        const [signed, plain] = [
          await pfnOf(asRoot(), scope, file.name),
          await pfnOf(await newAccount(), scope, file.name),
        ];
        expect([await statusOf(signed), await statusOf(plain)]).toEqual([200, 403]);
        expect(signed.split('?')[0]).toBe(plain);
      });
    }
  });
}
