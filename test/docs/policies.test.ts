import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { policiesFolder, renderPolicyPages } from './policy-pages.ts';

it('docs/policies says what the policies set (renew it with `npm run docs -- policies`)', async () => {
  const pages = await renderPolicyPages();
  expect(readdirSync(policiesFolder).toSorted()).toEqual([...pages.keys()].toSorted());
  for (const [name, text] of pages)
    expect(squeeze(readFileSync(join(policiesFolder, name), 'utf8')), name).toBe(squeeze(text));
});

/** Pages without what the formatter decides. */
const squeeze = (text: string) => text.replaceAll(/\s+/g, ' ');
