import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { LocalServer } from '../../local/server.ts';
import { logIn, openBrowser, openPage, type OpenPage, settle, visit } from './support/open-page.ts';
import { logInAt, startCatalogue } from './support/seeded-server.ts';

let browser: Browser;
let server: LocalServer;

beforeAll(async () => {
  browser = await openBrowser();
  server = await startCatalogue();
  const call = await logInAt(server);
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
});

afterAll(async () => {
  await browser?.close();
  await server?.close();
});

async function openAt(place: string): Promise<OpenPage> {
  const opened = await openPage(browser, server.url);
  await logIn(opened.page);
  await visit(opened.page, place);
  return opened;
}

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

  it('ask for a scope, and stay when one is chosen', async () => {
    const { page, context } = await openAt('#/search?type=dataset&f=run_number%3D358031&f=datatype%3DRAW');
    await page.getByText('Choose a scope to search in').waitFor();
    await page.getByRole('link', { name: 'beam26', exact: true }).click();
    await page.getByRole('link', { name: 'beam26:data.RAW' }).waitFor();
    expect(readAddress(page)).toEqual(['run_number=358031', 'datatype=RAW']);
    expect(page.url()).toContain('type=dataset');
    expect(await page.getByText('Choose a scope to search in').count()).toBe(0);
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
    await page.getByText('The same in a terminal').click();
    expect(await page.locator('.command code').first().innerText()).toBe(
      "rucio did list 'sizes:*' --filter 'bytes>40000000000'",
    );
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
  it('suggests patterns that fit what was typed, also from the box for everything', async () => {
    const { page, context } = await openAt('#/rses');
    const box = page.getByLabel('Go to a DID, a rule or an RSE');
    await box.fill('SITE_DISK');
    await box.press('Enter');
    await page.getByRole('heading', { name: 'SITE_DISK' }).waitFor();
    await box.fill('RAW');
    await box.press('Enter');
    await page.getByText('No scope has RAW in its name.').waitFor();
    expect(await page.getByLabel('Scope and name').inputValue()).toBe('RAW');
    await page.getByRole('link', { name: 'beam26:*RAW*' }).click();
    await expect.poll(() => readFound(page)).toEqual(['beam26:data.RAW']);
    await context.close();
  });

  it('looks in the only scope, and leads from the beginning of a name to all of it', async () => {
    const { page, context } = await openAt('#/rses');
    await page.route(/\/scopes\?/, (route) => route.fulfill({ json: ['beam26'] }));
    await visit(page, '#/search?q=data');
    await page.getByText('This looks in beam26, the only scope.').waitFor();
    await expect.poll(() => readFound(page)).toEqual(['beam26:data.AOD', 'beam26:data.RAW']);
    await visit(page, '#/search?q=RAW');
    await page.getByText('names that begin with RAW').waitFor();
    await page.getByRole('link', { name: 'anywhere in the name' }).click();
    await expect.poll(() => readFound(page)).toEqual(['beam26:data.RAW']);
    expect(await page.getByLabel('Scope and name').inputValue()).toBe('beam26:*RAW*');
    await context.close();
  });
});
