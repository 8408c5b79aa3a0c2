import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';

import { findOverflow, findViolations } from './support/looks.ts';
import { screens, settle, visit } from './support/open-page.ts';
import { hostileTexts } from './support/seeded-server.ts';
import { emptySite } from './support/site.ts';

const { call, openLoggedIn } = emptySite();
let ruleId: string;

/** Marks of directions that are never closed, characters that are not seen, and one that looks like NUL. */
const unseen = 'left\u202eright\u2066\u200b\ufeff\u2028\u2400end';
/** As long as comments may be, without a place to break. */
const comment = `${hostileTexts.markup} ${unseen}${'x'.repeat(250)}`.slice(0, 250);

const name = `a/b/c.d/...${'/very-long-part'.repeat(17)}`.slice(0, 249);
const did = { scope: 'hostile', name };

beforeAll(async () => {
  await call('POST', '/scopes/root/hostile');
  await call('POST', '/rses/SITE_DISK', {});
  await call('POST', '/accountlimits/local/root/SITE_DISK', { bytes: -1 });
  const meta = { ...hostileTexts, unseen, [`key-${'k'.repeat(100)}`]: 'v' };
  await call('POST', `/dids/hostile/${encodeURIComponent(name)}`, { type: 'DATASET', meta });
  const wish = { dids: [did], account: 'root', copies: 1, rse_expression: 'SITE_DISK', comment };
  [ruleId = ''] = (await (await call('POST', '/rules/', wish)).json()) as string[];
});

/** Texts with marks of directions that nothing keeps from turning what is around them. */
const findTurning = (page: Page) =>
  page.evaluate(() => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found: string[] = [];
    for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
      const around = text.parentElement;
      if (!/[\u202a-\u202e\u2066-\u2069]/.test(text.nodeValue ?? '') || around === null) continue;
      const isIsolated = around.closest('bdi, pre, textarea') !== null;
      if (!isIsolated) found.push(around.outerHTML.slice(0, 200));
    }
    return found;
  });

it('texts of strangers are inert on the pages of a rule, a DID, a list and the live events', async () => {
  const { page, context, faults } = await openLoggedIn();
  const places = [
    `#/rule/${ruleId}`,
    `#/did/hostile/${encodeURIComponent(name)}`,
    `#/did/hostile/${encodeURIComponent(name)}?tab=metadata`,
    `#/did/hostile/${encodeURIComponent(name)}?tab=rules`,
    '#/search?q=hostile:*',
    '#/rules',
    '#/events',
  ];
  for (const place of places) {
    await page.setViewportSize(screens.desktop);
    await visit(page, place);
    if (place === '#/events') {
      await page.locator('.state', { hasText: 'live' }).waitFor();
      await call('PUT', `/rules/${ruleId}`, { options: { comment: `${comment.slice(0, 249)}y` } });
      const changed = page.locator('.event', { hasText: 'UPDATE_RULE' });
      await changed.locator('summary').click();
      await changed.getByText('onerror').waitFor();
    }
    await settle(page);
    // Markup of a text would be elements, and its script would change the title.
    expect({ place, elements: await page.locator('img[src="x"], main script').count() }).toEqual({
      place,
      elements: 0,
    });
    expect(await page.title()).toContain('Dapple');
    expect({ place, turning: await findTurning(page) }).toEqual({ place, turning: [] });
    expect({ place, violations: await findViolations(page) }).toEqual({ place, violations: [] });
    await page.setViewportSize(screens.phone);
    expect({ place, overflow: await findOverflow(page) }).toEqual({ place, overflow: 0 });
  }
  await visit(page, `#/rule/${ruleId}`);
  await page.getByText(hostileTexts.markup).first().waitFor();
  expect(faults).toEqual([]);
  await context.close();
});
