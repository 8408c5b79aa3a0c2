/** Tools of others against servers as `npm start` makes them: the calls of each in one Python process. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { describe, expect, it } from 'vitest';

import { addStorage, type Ask, register, startLaptop } from '../../support/laptop.ts';
import { makeVenv } from '../../support/python-venv.ts';
import { createClientHome } from '../support/client-home.ts';
import { type Count, countsPath, countTried, failuresOf, formatCounts, type Tried } from './counts.ts';
import { type Tool, tools } from './tools.ts';

/** Some seconds, and minutes more where the tool has to be installed. */
const timeout = 600_000;
const folderOfTools = fileURLToPath(new URL('tools', import.meta.url));
const counts = new Map<Tool, Count>();

/** Makes what the tools find: two RSEs in folders, scopes, and a dataset. */
async function prepare(ask: Ask, folder: string): Promise<void> {
  for (const scope of ['data', 'cms']) await ask('POST', `/accounts/root/scopes/${scope}`);
  for (const rse of ['ONE', 'TWO']) await addStorage(ask, rse, join(folder, rse));
  await ask('POST', '/rses/ONE/attr/ANY', { value: 'true' });
}

/** Makes a dataset with metadata and one file. */
async function addDataset(ask: Ask): Promise<void> {
  await register(ask, 'ONE', 'file', { bytes: 5, adler32: '0cc737eb' });
  await ask('POST', '/dids/data/set', { type: 'DATASET', meta: { campaign: 'mc26' } });
  await ask('POST', '/dids/data/set/dids', { dids: [{ scope: 'data', name: 'file' }] });
}

/** Runs the calls of a tool; the last text is what it printed. */
async function runCalls(tool: Tool, bin: string, folder: string, server: string): Promise<readonly [Tried[], string]> {
  const user = { account: 'root', username: 'ddmlab', password: 'secret' };
  const home = await createClientHome(user, { rucio_host: server, auth_host: server }, bin);
  const results = join(folder, 'calls.jsonl');
  const args = [join(folderOfTools, `${tool.file}_calls.py`), results, server];
  try {
    const said = await new Promise<string>((resolve) => {
      const options = { env: home.environment, cwd: folder, maxBuffer: 2 ** 26 };
      execFile(join(bin, 'python'), args, options, (error, stdout, stderr) =>
        resolve(`${error === null ? '' : `${error.message}\n`}${stdout}${stderr}`),
      );
    });
    const lines = (await readFile(results, 'utf8')).split('\n').filter(Boolean);
    return [lines.map((line) => JSON.parse(line) as Tried), said];
  } finally {
    await home.remove();
  }
}

describe('tools', () => {
  for (const tool of tools) {
    it.concurrent(
      `${tool.name}: its calls return and store what they should`,
      { timeout },
      async ({ expect: here }) => {
        const requirements = join(folderOfTools, `${tool.file}.txt`);
        const version = new RegExp(`^${tool.name}==(.*)$`, 'm').exec(await readFile(requirements, 'utf8'))?.[1];
        const { name, file, without } = tool;
        const bin = await makeVenv({ name: `compat-${file}`, holds: name, requirements, ...(without && { without }) });
        const folder = await mkdtemp(join(tmpdir(), 'dapple-tool-'));
        const { server, ask } = await startLaptop(['--in-memory']);
        try {
          await prepare(ask, folder);
          if (tool.file === 'jupyterlab') await addDataset(ask);
          const [tried, said] = await runCalls(tool, bin, folder, server.url);
          counts.set(tool, countTried(`${name} ${version}`, undefined, tried));
          here(failuresOf(tried), said).toEqual([]);
          here(tried.length, said).toBeGreaterThan(10);
          here(JSON.stringify(await ask('GET', tool.leaves.path))).toMatch(tool.leaves.text);
        } finally {
          await server.kill();
          await rm(folder, { recursive: true, force: true });
        }
      },
    );
  }
});

it('the results are recorded for docs/compatibility.md (renew with -u)', async () => {
  const found = tools.flatMap((tool) => counts.get(tool) ?? []);
  expect(found.length).toBe(tools.length);
  await expect(await formatCounts('tools', { counts: found })).toMatchFileSnapshot(countsPath('tools'));
});
