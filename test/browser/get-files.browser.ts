import { readFile } from 'node:fs/promises';

import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';

import { findOverflow, findViolations } from './support/looks.ts';
import { screens, visit } from './support/open-page.ts';
import { emptySite } from './support/site.ts';

const { call, openAt, openLoggedIn } = emptySite();

/** More files than one request of a list asks for, and one without a replica. */
const count = 1_203;
const fileName = (i: number) => `part-${String(i).padStart(4, '0')}.root`;

beforeAll(async () => {
  await call('POST', '/scopes/root/beam');
  for (const [rse, scheme, impl] of [
    ['WEB', 'https', 'webdav'],
    ['GRID', 'root', 'xrootd'],
  ] as const) {
    await call('POST', `/rses/${rse}`, {});
    await call('POST', `/rses/${rse}/protocols/${scheme}`, {
      hostname: `${scheme}.example.org`,
      port: 443,
      prefix: '/store',
      impl: `rucio.rse.protocols.${impl}.Default`,
      domains: { wan: { read: 1, write: 1, delete: 1, third_party_copy_read: 1, third_party_copy_write: 1 } },
    });
  }
  const files = Array.from({ length: count }, (_, i) => ({
    scope: 'beam',
    name: fileName(i),
    bytes: 1_000_000,
    adler32: '0cc737eb',
  }));
  for (let i = 0; i < count; i += 500) await call('POST', '/replicas', { rse: 'WEB', files: files.slice(i, i + 500) });
  await call('POST', '/replicas', { rse: 'GRID', files: files.slice(0, 3) });
  await call('PUT', '/replicas', { rse: 'WEB', files: [{ scope: 'beam', name: fileName(5), state: 'U' }] });
  await call('POST', '/dids/beam/data', { type: 'DATASET' });
  for (let i = 0; i < count; i += 500)
    await call('POST', '/dids/beam/data/dids', {
      dids: files.slice(i, i + 500).map(({ scope, name }) => ({ scope, name })),
    });
});

async function save(page: Page, button: string): Promise<string> {
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: button }).click();
  return readFile((await (await download).path()) ?? '', 'utf8');
}

it('gets the files of a dataset: the command, their URLs by RSE and scheme, and lists of all of them', async () => {
  const { page, context, faults } = await openAt('#/did/beam/data?tab=get');
  await page.getByText('rucio download beam:data', { exact: true }).waitFor();
  await page.getByText('These are the first 20 files; the lists have all of them.').waitFor();
  // The page holds these alone, however many files there are.
  expect(await page.locator('code.url').count()).toBe(19);
  await page
    .getByRole('row', { name: /part-0005/ })
    .getByText('no replica that can be read')
    .waitFor();
  expect(await findViolations(page)).toEqual([]);

  const all = await save(page, 'Save the URLs (.txt)');
  await page.getByText('The list of 1,203 files is saved; 1 of them has no replica that can be read.').waitFor();
  const lines = all.trimEnd().split('\n');
  expect(lines).toHaveLength(count - 1);
  expect(lines.at(-1)).toMatch(/^https:\/\/https\.example\.org:443\/store\/beam\/.*part-1202\.root$/);

  await page.getByLabel('On these RSEs alone').fill('GRID');
  await page.getByText('rucio download --rses GRID beam:data').waitFor();
  await expect.poll(() => page.locator('code.url').count()).toBe(3);
  const metalink = await save(page, 'Save a metalink');
  expect(metalink.match(/<file /g)).toHaveLength(3);
  expect(metalink.match(/<\/file>/g)).toHaveLength(3);
  expect(metalink).toMatch(/^<\?xml .*<metalink .*root:\/\/root\.example\.org.*<\/metalink>\s*$/s);

  await page.getByLabel('On these RSEs alone').fill('');
  await page.getByLabel('URLs of a file').selectOption('all');
  await page.getByLabel('Scheme').selectOption('root');
  await expect.poll(() => page.locator('code.url').allTextContents()).toHaveLength(3);
  expect(faults).toEqual([]);
  await context.close();
});

it('shows each URL of a file, to copy and, where a browser can, to download; also on a phone', async () => {
  const { page, context, faults } = await openLoggedIn({
    viewport: screens.phone,
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  await visit(page, `#/did/beam/${fileName(0)}?tab=get`);
  const row = page.getByRole('row', { name: /https\.example\.org/ });
  await row.getByRole('button', { name: 'Copy' }).click();
  await row.getByText('Copied').waitFor();
  const url = await page.evaluate(() => navigator.clipboard.readText());
  expect(url).toMatch(/^https:\/\/https\.example\.org:443\/store\/beam\/.*part-0000\.root$/);
  expect(await row.getByRole('link', { name: 'Download' }).getAttribute('href')).toBe(url);
  const other = page.getByRole('row', { name: /root:\/\/root\.example\.org/ });
  expect(await other.getByRole('link', { name: 'Download' }).count()).toBe(0);
  expect(await findOverflow(page)).toBe(0);
  expect(faults).toEqual([]);
  await context.close();
});
