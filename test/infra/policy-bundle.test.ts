import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';

import { esbuildOptionsWith } from '../../infra/bundling.ts';
import type * as Names from '../../lib/contract/schemas/names.ts';

describe('a bundle', () => {
  it.each([
    ['generic', 'Data Rebalancing', ['DAC21', 'User AutoApprove', 'Legacy ']],
    ['cms', 'User AutoApprove', ['DAC21', 'Data Carousel']],
  ])('for the policy %s holds that policy, and of others only what it is based on', async (policy, own, foreign) => {
    const { outputFiles, metafile } = await build({
      ...esbuildOptionsWith(policy),
      entryPoints: ['functions/rules.ts'],
      outfile: 'rules.mjs',
      sourcemap: false,
      metafile: true,
      write: false,
    });
    const text = outputFiles[0]?.text ?? '';
    expect(text).toContain(own);
    for (const other of foreign) expect(text).not.toContain(other);
    // Nothing that reads or checks policies either: they were read when the stack was synthesised.
    expect(Object.keys(metafile.inputs).filter((path) => /policy\/(?:read|chosen|find)/.test(path))).toEqual([]);
  });

  it("for the policy of one's own file holds what the file does not say, too", async () => {
    const folder = mkdtempSync(join(tmpdir(), 'policy-bundle-'));
    try {
      const own = join(folder, 'own.ts');
      writeFileSync(
        own,
        "export default { name: 'own', about: 'own', source: 'own', rse: { pattern: '^only-this$' } };\n",
      );
      const outfile = join(folder, 'names.mjs');
      await build({ ...esbuildOptionsWith(own), entryPoints: ['lib/contract/schemas/names.ts'], outfile });
      const names = (await import(pathToFileURL(outfile).href)) as typeof Names;
      expect(names.rseName.safeParse('only-this').success).toBe(true);
      expect(names.rseName.safeParse('DISK').success).toBe(false);
      expect(names.scopeName.safeParse('data').success).toBe(true);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
