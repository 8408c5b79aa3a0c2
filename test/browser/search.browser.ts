import { readFileSync } from 'node:fs';

import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';

import { findViolations } from './support/looks.ts';
import { settle, visit } from './support/open-page.ts';
import { emptySite } from './support/site.ts';

const { call, openAt } = emptySite();
let ruleId: string;

beforeAll(async () => {
  await call('POST', '/scopes/root/beam26');
  for (const datatype of ['RAW', 'AOD']) {
    await call('POST', `/dids/beam26/data.${datatype}`, { type: 'DATASET', meta: { run_number: 358031, datatype } });
  }
  await call('POST', '/scopes/root/sizes');
  await call('POST', '/rses/SITE_DISK', {});
  for (const [name, bytes] of [
    ['small', 39_000_000_000],
    ['middle', 41_000_000_000],
    ['large', 43_000_000_000],
  ] as const) {
    const dids = [{ scope: 'sizes', name: `${name}.root`, bytes, adler32: '0cc737eb' }];
    await call('POST', `/dids/sizes/${name}`, { type: 'DATASET', rse: 'SITE_DISK', dids, meta: { colour: 'red' } });
  }
  const rule = {
    dids: [{ scope: 'sizes', name: 'small' }],
    account: 'root',
    copies: 1,
    rse_expression: 'SITE_DISK',
    comment: '=1+1',
  };
  await call('POST', '/accountlimits/local/root/SITE_DISK', { bytes: -1 });
  [ruleId = ''] = (await (await call('POST', '/rules/', rule)).json()) as string[];
});

/** The conditions of a search as the fields show them. */
function readFields(page: Page): Promise<string[]> {
  return page
    .locator('fieldset.condition')
    .evaluateAll((rows) =>
      rows.map((row) =>
        [...row.querySelectorAll('input, select')].map((field) => ('value' in field ? field.value : '')).join(''),
      ),
    );
}

/** The conditions of a search in the address. */
function readAddress(page: Page): string[] {
  return new URLSearchParams(new URL(page.url()).hash.split('?')[1]).getAll('f');
}

const twoConditions = '#/search?q=beam26%3A&f=run_number%3D358031&f=datatype%3DRAW';

describe('the conditions of a search', () => {
  it('are those of the address after the first of two is removed', async () => {
    const { page, context, faults } = await openAt(twoConditions);
    await page.getByRole('button', { name: 'Remove condition 1' }).click();
    await expect.poll(() => readAddress(page)).toEqual(['datatype=RAW']);
    await expect.poll(() => readFields(page)).toEqual(['datatype=RAW']);
    await visit(page, twoConditions);
    await expect.poll(() => readFields(page)).toEqual(['run_number=358031', 'datatype=RAW']);
    expect(faults).toEqual([]);
    await context.close();
  });

  it('search all scopes without one, and stay when one is chosen', async () => {
    const { page, context } = await openAt('#/search?type=dataset&f=run_number%3D358031&f=datatype%3DRAW');
    await expect.poll(() => readFound(page)).toEqual(['beam26:data.RAW']);
    await page.getByText('1 DID in 1 scope; 2 of 2 scopes searched.').waitFor();
    await page.getByRole('link', { name: 'beam26', exact: true }).click();
    await page.getByRole('heading', { name: 'Found', exact: true }).waitFor();
    await expect.poll(() => readFound(page)).toEqual(['beam26:data.RAW']);
    expect(readAddress(page)).toEqual(['run_number=358031', 'datatype=RAW']);
    expect(page.url()).toContain('type=dataset');
    await context.close();
  });

  it('begin at the key of a new one', async () => {
    const { page, context } = await openAt('#/search?q=beam26%3A&f=datatype%3DAOD');
    await page.getByRole('button', { name: '+ Metadata, size or date' }).click();
    await expect.poll(() => readFields(page)).toHaveLength(2);
    await page.keyboard.type('run_number');
    await expect.poll(() => readFields(page)).toEqual(['datatype=AOD', 'run_number=']);
    await context.close();
  });

  it('follow the address when it is changed by hand', async () => {
    const { page, context } = await openAt(twoConditions);
    await visit(page, '#/search?q=beam26%3A&f=datatype%3DAOD&f=run_number%3D358031');
    await expect.poll(() => readFields(page)).toEqual(['datatype=AOD', 'run_number=358031']);
    await context.close();
  });
});

/** The names that a search has found. */
function readFound(page: Page): Promise<string[]> {
  return page.locator('td .did').allInnerTexts();
}

describe('a size in a search', () => {
  it('may have a unit, in a condition and behind the name', async () => {
    const { page, context } = await openAt('#/search?q=sizes%3A&f=bytes%3E40+GB');
    await expect.poll(() => readFound(page)).toEqual(['sizes:large', 'sizes:middle']);
    await page.getByText('bytes > 40,000,000,000').waitFor();
    await page.getByRole('button', { name: 'The same in a terminal' }).click();
    expect(await page.locator('.command code').first().innerText()).toBe(
      "rucio did list 'sizes:*' --filter 'bytes>40000000000'",
    );
    await page.keyboard.press('Escape');
    await page.getByLabel('Value of condition 1').fill('40 GiB');
    await expect.poll(() => readFound(page)).toEqual(['sizes:large']);
    await page.getByRole('button', { name: 'Remove condition 1' }).click();
    await expect.poll(() => readFound(page)).toHaveLength(3);
    await page.getByLabel('Scope and name').fill('sizes:* size > 40 GB and size <= 42 GB, length < 1k');
    await expect.poll(() => readFound(page)).toEqual(['sizes:middle']);
    await context.close();
  });

  it('that cannot be read is refused with an example', async () => {
    const { page, context } = await openAt('#/search?q=sizes%3A+bytes+%3E+40+GX');
    await page.getByRole('alert').getByText('Sizes may have a unit, such as 40 GB or 1.5 TiB').waitFor();
    await context.close();
  });

  it('is understood in the box for everything', async () => {
    const { page, context } = await openAt('#/rses');
    await page.keyboard.press('/');
    await page.keyboard.type('sizes:l* size > 40 GB');
    await page.keyboard.press('Enter');
    await expect.poll(() => readFound(page)).toEqual(['sizes:large']);
    await context.close();
  });
});

describe('a search that finds nothing', () => {
  it.each([
    ['a key that no DID has', 'flavour=red', 'No DID in this scope has the key flavour.'],
    ['a key that is almost one', 'runnumber=1', 'Is it run_number?'],
    ['a key with two letters that have changed places', 'run_nubmer=1', 'Is it run_number?'],
    ['a size without a unit', 'size>40', 'The size 40 has no unit: add a unit, such as GB.'],
    ['a size that is no number', 'size>fourty GB', 'fourty GB is no size.'],
    ['a unit that is none', 'size>40 apples', 'The unit apples is not known. Sizes have B, kB, MB'],
  ])('says so of %s', async (_what, condition, said) => {
    const { page, context } = await openAt(`#/search?q=sizes%3A&f=${encodeURIComponent(condition)}`);
    await page.getByText(said).waitFor();
    await context.close();
  });

  it('says that or is not understood', async () => {
    const { page, context } = await openAt('#/search?q=sizes%3A* size > 40 GB or colour = red');
    await page.getByText('A search does not understand or, only and').waitFor();
    await page.getByText('Nothing in this scope fits.').waitFor();
    await settle(page);
    expect(await page.getByText('No DID in this scope has').count()).toBe(0);
    await context.close();
  });

  it('does not blame a key that is there, or is a column', async () => {
    const { page, context } = await openAt(
      '#/search?q=sizes%3A&f=colour%3Dblue&f=task_id%3D1&f=created_after%3D2020-01-01',
    );
    await page.getByText('Nothing in this scope fits.').waitFor();
    await settle(page);
    expect(await page.getByText('No DID in this scope has').count()).toBe(0);
    await context.close();
  });

  it('says that the scope is empty', async () => {
    const { page, context } = await openAt('#/search?q=nowhere%3A');
    await page.getByText('There is no DID in the scope nowhere.').waitFor();
    await context.close();
  });
});

describe('a search without a scope', () => {
  it('finds a part of a name in every scope, also from the box for everything', async () => {
    const { page, context } = await openAt('#/rses');
    const box = page.getByLabel('Go to a DID, a rule or an RSE');
    await box.fill('SITE_DISK');
    await box.press('Enter');
    await page.getByRole('heading', { name: 'SITE_DISK' }).waitFor();
    await box.fill('a');
    await box.press('Enter');
    await expect
      .poll(async () => (await readFound(page)).toSorted())
      .toEqual(['beam26:data.AOD', 'beam26:data.RAW', 'sizes:large', 'sizes:small']);
    expect(await page.getByLabel('Scope and name').inputValue()).toBe('a');
    await page.getByRole('button', { name: 'Size', exact: true }).click();
    expect((await readFound(page)).slice(0, 2)).toEqual(['sizes:large', 'sizes:small']);
    await context.close();
  });

  it('says how far it is when nothing fits', async () => {
    const { page, context } = await openAt('#/search?q=nosuchname');
    await page.getByText('0 DIDs in 0 scopes; 2 of 2 scopes searched.').waitFor();
    await page.getByText('Nothing fits in any scope.').waitFor();
    await context.close();
  });

  it('finds a rule by the beginning of its id, as the page shows it', async () => {
    const { page, context } = await openAt('#/home');
    const box = page.getByLabel('Go to a DID, a rule or an RSE');
    await box.fill(ruleId.slice(0, 8));
    await box.press('Enter');
    await page.getByRole('heading', { name: `Rule ${ruleId.slice(0, 8)}` }).waitFor();
    await context.close();
  });
});

describe('a search in a scope', () => {
  it('looks in the whole name by itself when no name begins so', async () => {
    const { page, context } = await openAt('#/search?q=beam26%3ARAW');
    await page.getByText('No name begins with RAW. These have it anywhere:').waitFor();
    await expect.poll(() => readFound(page)).toEqual(['beam26:data.RAW']);
    await context.close();
  });
});

describe('the rows of a table', () => {
  it('are sorted by a column, and taken along as CSV and JSON, formulas as texts', async () => {
    const { page, context } = await openAt('#/search?q=sizes%3A');
    await page.getByRole('button', { name: 'Size', exact: true }).click();
    await expect.poll(() => readFound(page)).toEqual(['sizes:large', 'sizes:middle', 'sizes:small']);
    expect(await page.getByRole('columnheader', { name: 'Size' }).getAttribute('aria-sort')).toBe('descending');
    const take = async (kind: string) => {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: kind }).click(),
      ]);
      return readFileSync(await download.path(), 'utf8');
    };
    expect((await take('CSV')).split('\n').slice(0, 2)).toEqual([
      'scope,name,did_type,bytes,length',
      'sizes,large,DATASET,43000000000,1',
    ]);
    expect(JSON.parse(await take('JSON'))).toHaveLength(3);
    await visit(page, '#/rules');
    expect(await take('CSV')).toContain(",'=1+1,");
    await context.close();
  });
});

describe('the palette', () => {
  it('leads to a page, and to a search in all scopes, by the keyboard alone', async () => {
    const { page, context, faults } = await openAt('#/home');
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Page, action or name' }).waitFor();
    expect(await findViolations(page)).toEqual([]);
    await page.keyboard.type('transf');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Transfers' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Page, action or name' }).waitFor();
    await page.keyboard.type('RAW');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await expect.poll(() => readFound(page)).toEqual(['beam26:data.RAW']);
    expect(faults).toEqual([]);
    await context.close();
  });
});
