import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';

import { findViolations } from './support/looks.ts';
import { visit } from './support/open-page.ts';
import { addMore } from './support/seeded-server.ts';
import { exampleSite } from './support/site.ts';

const { call, openLoggedIn } = exampleSite();

beforeAll(() => addMore(call));

/** The facts of a page, each with its name on a line before it. */
function readFacts(page: Page): Promise<string[]> {
  return page.locator('.facts > div').evaluateAll((facts: HTMLElement[]) => facts.map((fact) => fact.innerText));
}

describe('an RSE', () => {
  it('tells what may be deleted there, how much that is, and whether anybody does', async () => {
    const { page, context } = await openLoggedIn();
    await visit(page, '#/rse/LYON_DISK?tab=deletable');
    await page.getByText('the attribute “reaper” is not set here').waitFor();
    await page.getByRole('row', { name: /data\.358032\.AOD\/part-0001\.root.*at once/ }).waitFor();
    const facts = await readFacts(page);
    expect(facts).toEqual([
      'May be deleted\n1 file, 325 MB',
      'Of these at once\n1 file, 325 MB',
      expect.stringMatching(/^All replicas, with copies under way\n\d\d files, [\d.]+ GB$/),
      'Free\n13.3 TB',
    ]);
    await call('POST', '/rses/LYON_DISK/attr/reaper', { value: true });
    await call('PUT', '/rses/LYON_DISK/limits', { name: 'MinFreeSpace', value: 2e12 });
    await page.reload();
    await page.getByText('it deletes those that go at once, and others in this order until 2.00 TB are free').waitFor();
    await context.close();
  });

  it('tells what rules keep there, of how much in all', async () => {
    const { page, context } = await openLoggedIn();
    await visit(page, '#/rse/LYON_TAPE');
    await page.getByRole('link', { name: 'What rules keep' }).click();
    await page.getByText('Each dataset stays here as long as one of its rules does.').waitFor();
    await expect
      .poll(() => readFacts(page))
      .toEqual([
        'Kept by rules\n4 datasets',
        'Of these not complete\n4',
        'All replicas, kept or not, with copies under way\n72 files, 181 GB',
      ]);
    expect(await page.getByRole('cell', { name: 'still open' }).count()).toBe(4);
    await context.close();
  });

  it('says how full it is, and what is promised', async () => {
    const { page, context } = await openLoggedIn();
    await visit(page, '#/rse/CERN_DISK');
    await page.getByRole('img', { name: '33 % of 40.0 TB used' }).waitFor();
    await page.getByText('Sum of quotas').waitFor();
    await context.close();
  });

  it('lists all replicas that are there, also those that no rule has kept', async () => {
    const { page, context, faults } = await openLoggedIn();
    await visit(page, '#/rse/CERN_DISK?tab=deletable');
    await page.getByText('Nothing may be deleted now.').waitFor();
    expect((await readFacts(page))[0]).toMatch(/^All replicas, with copies under way\n168 files/);
    expect(await page.getByText('rucio rse attribute set').isVisible()).toBe(false);
    await page.getByRole('main').getByRole('link', { name: 'all replicas', exact: true }).click();
    const table = page.getByRole('table', { name: 'All replicas on this RSE' });
    await table.getByRole('link', { name: 'example:data.358031.AOD/part-0001.root' }).waitFor();
    await page.getByText('Rows 1 to 100, and more').waitFor();
    await page.getByRole('button', { name: 'More rows' }).click();
    await page.getByText('168 rows').waitFor();
    expect(await table.locator('tbody').getByRole('row').count()).toBe(168);
    expect(await findViolations(page)).toEqual([]);
    expect(faults).toEqual([]);
    await context.close();
  });

  it('says where copies under way are counted', async () => {
    const { page, context } = await openLoggedIn();
    await visit(page, '#/rses');
    await page
      .getByRole('row', { name: /LYON_TAPE/ })
      .getByRole('cell', { name: '72', exact: true })
      .waitFor();
    await page.getByText('include copies that are under way').waitFor();
    await visit(page, '#/rse/LYON_TAPE');
    await page.getByText('Copies under way count in the catalogue').waitFor();
    await context.close();
  });

  it('that is not there has no button', async () => {
    const { page, context } = await openLoggedIn();
    await visit(page, '#/rse/NOWHERE');
    await page.getByRole('alert').getByText('There is no such RSE.').waitFor();
    expect(await page.getByRole('link', { name: 'Copies under way' }).count()).toBe(0);
    await context.close();
  });
});

describe('RSEs', () => {
  it('shows the distances between RSEs as a matrix, for an expression', async () => {
    const { page, context } = await openLoggedIn();
    await visit(page, '#/rses?tab=distances');
    const rows = page.getByRole('group', { name: 'Distances between RSEs' }).getByRole('row');
    expect(await rows.allInnerTexts()).toEqual([
      'From\tCERN_DISK\tLYON_DISK\tLYON_TAPE',
      'CERN_DISK\t–\t2\t7',
      'LYON_DISK\t3\t–\t–',
    ]);
    await page.getByLabel('Expression').fill('rse_type=DISK');
    await expect.poll(() => rows.count()).toBe(3);
    expect(page.url()).toContain('tab=distances');
    await context.close();
  });
});
