import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { LocalServer } from '../../infra/local/server.ts';
import { logIn, openBrowser, openPage, type OpenPage, visit } from './support/open-page.ts';
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

  it('follow the address when it is changed by hand', async () => {
    const { page, context } = await openAt(twoConditions);
    await visit(page, '#/search?q=beam26%3A&f=datatype%3DAOD&f=run_number%3D358031');
    await expect.poll(() => readFields(page)).toEqual(['datatype=AOD', 'run_number=358031']);
    await context.close();
  });
});
