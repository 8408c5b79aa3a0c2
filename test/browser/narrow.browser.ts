import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { LocalServer } from '../../local/server.ts';
import { findOverflow } from './support/looks.ts';
import { logIn, makeExampleData, openBrowser, openPage, type OpenPage, screens, visit } from './support/open-page.ts';
import { startCatalogue } from './support/seeded-server.ts';

let browser: Browser;
let server: LocalServer;

beforeAll(async () => {
  browser = await openBrowser();
  server = await startCatalogue();
  await makeExampleData(browser, server.url);
});

afterAll(async () => {
  await browser?.close();
  await server?.close();
});

/** A place of the page on a screen, where root is logged in. */
async function openAt(place: string, width: number = screens.phone.width): Promise<OpenPage> {
  const opened = await openPage(browser, server.url, { viewport: { width, height: screens.phone.height } });
  await logIn(opened.page);
  await visit(opened.page, place);
  return opened;
}

/** The vertical middles of what a selector finds, each once. */
function findRows(page: Page, selector: string): Promise<number[]> {
  return page.locator(selector).evaluateAll((all) => [
    ...new Set(
      all
        .map((one) => one.getBoundingClientRect())
        .filter(({ width }) => width > 0)
        .map(({ top, height }) => Math.round(top + height / 2)),
    ),
  ]);
}

describe('on a narrow screen', () => {
  it.each([320, 375])('the header has two rows at %d pixels', async (width) => {
    const { page, context } = await openAt('#/search', width);
    expect(await findRows(page, '.top > *')).toHaveLength(2);
    expect(await findOverflow(page)).toBe(0);
    await page.goto(`${server.url}/docs/`);
    await page.locator('#operations a').first().waitFor({ state: 'attached' });
    expect(await findRows(page, '.top > *')).toHaveLength(2);
    await context.close();
  });

  it('numbers of a stacked row have their headings, and all tabs are in sight', async () => {
    const { page, context } = await openAt('#/rse/LYON_TAPE');
    const used = page.getByRole('cell', { name: '181 GB' }).last();
    expect(await used.evaluate((cell) => getComputedStyle(cell, '::before').content)).toMatch(/^"Used/);
    const edges = await page
      .locator('.tabs a')
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().right));
    expect(Math.max(...edges)).toBeLessThanOrEqual(screens.phone.width);
    await context.close();
  });

  it('the type of a search is as wide as its name, and a checkbox keeps its size', async () => {
    const { page, context } = await openAt('#/search');
    const measure = (label: string) =>
      page.getByLabel(label).evaluate((field) => Math.round(field.getBoundingClientRect().width));
    expect(await measure('Type')).toBe(await measure('Scope and name'));
    await visit(page, '#/new-rule');
    expect(await measure('Ask for approval')).toBe(18);
    await context.close();
  });

  it('the operations of the reference are one column', async () => {
    const { page, context } = await openAt('#/search');
    await page.goto(`${server.url}/docs/`);
    await page.getByRole('button', { name: 'Menu' }).click();
    const lefts = await page
      .locator('#operations li')
      .evaluateAll((all) => new Set(all.map((one) => one.getBoundingClientRect().left)).size);
    expect(lefts).toBe(1);
    await context.close();
  });
});

describe('the page of operations', () => {
  it('draws no bar for a minute without events, and says when the session ends', async () => {
    const { page, context } = await openAt('#/operations');
    await page.getByText('Your session ends').waitFor();
    const heights = await page
      .locator('.plot .bar-part')
      .evaluateAll((bars) => bars.map((bar) => Number(bar.getAttribute('height'))));
    expect(heights.slice(0, 5)).toEqual([0, 0, 0, 0, 0]);
    await context.close();
  });
});
