import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';

import { esbuildOptionsWith } from '../../infra/bundling.ts';

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
});
