import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';

import { fill } from './support/fill-form.ts';
import { hold, logIn, screens, settle } from './support/open-page.ts';
import { exampleSite } from './support/site.ts';

const site = exampleSite();
const { openLoggedIn } = site;

describe('what comes late takes the focus only of a reader', () => {
  const readFocus = (page: Page) =>
    page.evaluate(() => [document.activeElement?.tagName, document.activeElement?.textContent?.trim()].join(' '));

  it('who has opened and closed the menu of a phone since the log-in', async () => {
    const { page, context } = await site.open({ viewport: screens.phone });
    const letGo = await hold(page, /\/home-[^/]*\.js$/);
    await logIn(page);
    const menu = page.getByRole('button', { name: 'Menu' });
    await menu.press('Enter');
    await page.getByRole('link', { name: 'Rules' }).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Escape');
    letGo();
    // The heading of a page sets the title, and then takes the focus.
    await page.waitForFunction(() => document.title.startsWith('Home'));
    expect(await readFocus(page)).toBe('BUTTON Menu');
    expect(await menu.getAttribute('aria-expanded')).toBe('false');
    await context.close();
  });

  it.each<[act: string, does: (page: Page) => Promise<unknown>, focus: RegExp]>([
    ['waited', () => Promise.resolve(), /^H1 RSEs$/],
    ['pressed a modifier', (page) => page.keyboard.press('Shift'), /^H1 RSEs$/],
    ['gone on by the keyboard', (page) => page.keyboard.press('Tab'), /^A /],
    ['clicked on a button', (page) => page.getByRole('button', { name: /^Theme/ }).click(), /^BUTTON .*Theme/],
    ['gone to a field', (page) => page.keyboard.press('/'), /^INPUT /],
    ['clicked on a text', (page) => page.locator('main').click(), /^MAIN /],
  ])('who has %s while a page comes', async (_act, does, focus) => {
    const { page, context } = await openLoggedIn();
    await page.waitForFunction(() => document.title.startsWith('Home'));
    const letGo = await hold(page, /\/rses-[^/]*\.js$/);
    await page.getByRole('link', { name: 'RSEs', exact: true }).press('Enter');
    await page.waitForFunction(() => location.hash === '#/rses');
    await does(page);
    letGo();
    await page.waitForFunction(() => document.title.startsWith('RSEs'));
    expect(await readFocus(page)).toMatch(focus);
    await context.close();
  });

  it('who types the next name while the page of the first is looked for', async () => {
    const { page, context } = await openLoggedIn();
    const letGo = await hold(page, /\/rses\/CERN_DISK$/);
    await page.keyboard.press('/');
    await page.keyboard.type('CERN_DISK');
    await page.keyboard.press('Enter');
    await page.keyboard.type('next');
    letGo();
    await page.waitForFunction(() => document.title.startsWith('CERN_DISK'));
    await page.keyboard.type(' name');
    expect(await page.getByLabel('Go to a DID, a rule or an RSE').inputValue()).toBe('next name');
    await context.close();
  });

  it('who is at another page when the palette has found one', async () => {
    const { page, context } = await openLoggedIn();
    const letGo = await hold(page, /\/rses\/CERN_DISK$/);
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Page, action or name' }).fill('CERN_DISK');
    const found = page.waitForResponse(/\/rses\/CERN_DISK$/);
    await page.getByRole('option', { name: 'Open CERN_DISK' }).click();
    await page.getByRole('link', { name: 'Accounts', exact: true }).click();
    letGo();
    await (await found).finished();
    await settle(page);
    expect(await page.evaluate(() => location.hash)).toBe('#/accounts');
    await context.close();
  });

  it.each([
    { act: 'gone on', end: 'done', name: 'late', said: 'Done.' },
    { act: 'gone on', end: 'refused', name: 'data.RAW', said: 'There is a DID of this name already' },
    { act: 'waited', end: 'done', name: 'in-time', said: 'Done.' },
    { act: 'waited', end: 'refused', name: 'data.RAW', said: 'There is a DID of this name already' },
  ])('who has $act before the task of a form is $end', async ({ act, name, said }) => {
    const { page, context } = await site.openAt('#/do/make-collection?scope=example');
    const letGo = await hold(page, /\/dids\b/, 'POST');
    await fill(page, { Name: name });
    await page.getByRole('button', { name: 'Make it' }).click();
    if (act === 'gone on') await page.getByLabel('Go to a DID, a rule or an RSE').click();
    letGo();
    const note = page.locator('.note').filter({ hasText: said });
    await note.waitFor();
    const isAtNote = await note.evaluate((element) => element.contains(document.activeElement));
    expect(isAtNote).toBe(act === 'waited');
    if (act === 'gone on') expect(await page.evaluate(() => document.activeElement?.id)).toBe('jump');
    await context.close();
  });

  it.each([
    { act: 'gone on', focus: /^INPUT/ },
    { act: 'waited', focus: /^BUTTON Read again/ },
  ])('who has $act before a list is read again', async ({ act, focus }) => {
    const { page, context } = await site.openAt('#/accounts');
    const again = page.getByRole('button', { name: 'Read again' });
    const letGo = await hold(page, /\/accounts\b/);
    await again.click();
    await again.waitFor({ state: 'detached' });
    if (act === 'gone on') await page.keyboard.press('/');
    letGo();
    await again.waitFor();
    await settle(page);
    expect(await readFocus(page)).toMatch(focus);
    await context.close();
  });

  it('who is at another page when a rule is made', async () => {
    await site.call('POST', '/accountlimits/local/root/CERN_DISK', { bytes: -1 });
    const { page, context } = await site.openAt('#/new-rule?did=example:data.358031.RAW&rses=CERN_DISK');
    const letGo = await hold(page, /\/rules\/?$/, 'POST');
    const made = page.waitForResponse(
      (response) => response.request().method() === 'POST' && response.status() === 201,
    );
    await page.getByRole('button', { name: 'Create the rule' }).click();
    await page.getByRole('link', { name: 'Accounts', exact: true }).click();
    letGo();
    await (await made).finished();
    await settle(page);
    expect(await page.evaluate(() => location.hash)).toBe('#/accounts');
    await context.close();
  });

  it('of the reference who types while another tab logs out', async () => {
    const { page, context } = await openLoggedIn();
    const reference = await context.newPage();
    await reference.goto(`${site.url}/docs/`);
    await reference.getByRole('button', { name: 'Log out' }).waitFor();
    await reference.keyboard.press('/');
    await reference.keyboard.type('rule');
    await page.getByRole('button', { name: 'Log out' }).click();
    await reference.getByRole('button', { name: 'Log in', exact: true }).waitFor();
    // What follows the rendering has run after the next painting.
    await reference.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))));
    expect(await reference.evaluate(() => document.activeElement?.id)).toBe('search');
    await context.close();
  });
});
