import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';

import { findOverflow } from './support/looks.ts';
import { screens, visit } from './support/open-page.ts';
import { exampleSite } from './support/site.ts';

const site = exampleSite();

/** A place of the page on a screen, where root is logged in. */
const openAt = (place: string, width: number = screens.phone.width) =>
  site.openAt(place, { viewport: { width, height: screens.phone.height } });

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
    await page.goto(`${site.url}/docs/`);
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
    await page.goto(`${site.url}/docs/`);
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
