import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { build } from 'esbuild';
import { afterAll, expect, it } from 'vitest';

import { esbuildOptions } from '../../infra/bundling.ts';
import { projectRoot } from '../../infra/project-root.ts';

const folder = await mkdtemp(join(tmpdir(), 'dapple-stack-'));
afterAll(() => rm(folder, { recursive: true }));

it('a failure in a bundle is logged with source positions, causes included', async () => {
  const source = join(folder, 'crash.ts');
  await writeFile(
    source,
    `import { log } from '${join(projectRoot, 'lib/log.ts')}';
const inner = (): never => {
  throw new TypeError('the cause');
};
try {
  inner();
} catch (cause) {
  log.error('it failed', { error: new Error('the effect', { cause }), big: 2n ** 64n });
}
`,
  );
  const bundle = join(folder, 'index.mjs');
  await build({ ...esbuildOptions, entryPoints: [source], outfile: bundle });
  const { stderr } = await promisify(execFile)(process.execPath, [bundle], { env: { POWERTOOLS_DEV: 'false' } });
  const { error, ...record } = JSON.parse(stderr) as { error: { stack: string; cause: { stack: string } } };
  expect(record).toMatchObject({
    level: 'ERROR',
    message: 'it failed',
    service: 'dapple',
    big: '18446744073709551616',
  });
  expect(error).toMatchObject({ name: 'Error', message: 'the effect', cause: { name: 'TypeError' } });
  expect(error.stack).toMatch(/crash\.ts:8:\d+/);
  expect(error.cause.stack).toMatch(/crash\.ts:3:\d+/);
});
