import { describe, expect, it } from 'vitest';

import { logIn, openPage, screens, visit } from './support/open-page.ts';
import { exampleSite } from './support/site.ts';

const site = exampleSite();
const { openLoggedIn } = site;

describe('a session', () => {
  it('that ends in the middle is asked for in place, and what was begun goes on', async () => {
    const { page, context } = await openLoggedIn();
    await visit(page, '#/rses');
    await page.evaluate(() => {
      const stored = JSON.parse(sessionStorage.getItem('dapple-session') ?? '{}') as object;
      sessionStorage.setItem('dapple-session', JSON.stringify({ ...stored, token: 'expired' }));
    });
    await page.reload();
    await page.getByRole('heading', { name: 'Your session has ended' }).waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Log in as root' }).click();
    await page.getByRole('link', { name: 'CERN_DISK' }).waitFor();
    await context.close();
  });

  it('is renewed while it is used', async () => {
    const { page, context } = await site.open();
    await page.clock.install();
    await page.reload();
    await logIn(page);
    await visit(page, '#/rses');
    const renewal = page.waitForResponse(/\/auth\/userpass/);
    await page.keyboard.press('Shift');
    await page.clock.runFor(40 * 60_000);
    await page.keyboard.press('Shift');
    await page.clock.runFor(11 * 60_000);
    expect((await renewal).status()).toBe(200);
    await page.getByRole('link', { name: 'CERN_DISK' }).waitFor();
    await context.close();
  });

  it('that cannot be renewed warns before it ends, and leads to the log-in', async () => {
    const { page, context } = await openLoggedIn();
    await page.evaluate(() => {
      const stored = JSON.parse(sessionStorage.getItem('dapple-session') ?? '{}') as object;
      sessionStorage.setItem('dapple-session', JSON.stringify({ ...stored, expires: Date.now() + 4 * 60_000 }));
    });
    await page.reload();
    await page.getByText('Your session ends in 4 minutes').waitFor();
    await page.getByRole('button', { name: 'Log in again' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Log in as root' }).click();
    await expect.poll(() => page.getByText('Your session ends').count()).toBe(0);
    await context.close();
  });

  it('begins at the heading of the page, and ends at that of the log-in', async () => {
    const { page, context } = await site.open();
    const readFocus = () => page.evaluate(() => document.activeElement?.textContent?.trim());
    await page.getByRole('button', { name: 'Log in as root' }).press('Enter');
    await expect.poll(readFocus).toBe('Home');
    await page.getByRole('button', { name: 'Log out' }).press('Enter');
    await expect.poll(readFocus).toBe('Dapple');
    await page.goto(`${site.url}/ui/#/rses`);
    await page.getByRole('button', { name: 'Log in as root' }).press('Enter');
    await expect.poll(readFocus).toBe('RSEs');
    await context.close();
  });

  it('in the reference leaves the focus where it was', async () => {
    const { page, context } = await site.open();
    await page.goto(`${site.url}/docs/`);
    const readFocus = () => page.evaluate(() => document.activeElement?.textContent);
    await page.getByRole('button', { name: 'Log in', exact: true }).press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Log in as root' }).press('Enter');
    await expect.poll(readFocus).toBe('Log out');
    await page.keyboard.press('Enter');
    await expect.poll(readFocus).toBe('Log in');
    await context.close();
  });

  it.each([30, 56, 60, 63, 66, 70, 75, 80, 100, 200])('reaches a new tab that hears of it after %i ms', async (ms) => {
    const { page, context } = await openLoggedIn();
    await page.evaluate((delayMs) => {
      const post = Reflect.get(BroadcastChannel.prototype, 'postMessage');
      BroadcastChannel.prototype.postMessage = function (this: BroadcastChannel, message: unknown) {
        setTimeout(() => Reflect.apply(post, this, [message]), delayMs);
      };
    }, ms);
    const other = await context.newPage();
    await other.goto(`${site.url}/ui/#/rses`);
    await other.getByRole('link', { name: 'CERN_DISK' }).waitFor();
    await context.close();
  });

  it('is shared by the tabs of a browser, and a reload keeps it', async () => {
    const { page, context } = await openLoggedIn();
    const other = await context.newPage();
    await other.goto(`${site.url}/ui/#/rses`);
    await other.getByRole('link', { name: 'CERN_DISK' }).waitFor();
    await other.reload();
    await other.getByRole('link', { name: 'CERN_DISK' }).waitFor();
    await page.getByRole('button', { name: 'Log out' }).click();
    await other.getByRole('button', { name: 'Log in as root' }).waitFor();
    await context.close();
  });

  it('with a wrong password is refused in words', async () => {
    const { page, context } = await site.open();
    await page.getByRole('button', { name: 'Log in as root' }).waitFor();
    await page.getByLabel('Password').fill('wrong');
    await page.getByRole('button', { name: 'Log in as root' }).click();
    await page.getByRole('alert').getByText('The user name, the password or the account is wrong.').waitFor();
    await context.close();
  });

  it('that is not on the same machine has to type everything', async () => {
    const { page, context } = await openPage(site.browser, site.url.replace('localhost', '127.0.0.1'), {
      extraHTTPHeaders: { 'X-Forwarded-Host': 'catalogue.example.org' },
    });
    await page.getByRole('button', { name: 'Log in' }).waitFor();
    expect(await page.getByLabel('Password').inputValue()).toBe('');
    await context.close();
  });
});

describe('the way back', () => {
  it('back, forward and reload show the same places again', async () => {
    const { page, context } = await openLoggedIn();
    await visit(page, '#/rses');
    await page.getByRole('link', { name: 'CERN_DISK' }).click();
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('heading', { name: 'Protocols' }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'Usage' }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'RSEs', exact: true }).waitFor();
    await page.goForward();
    await page.goForward();
    await page.reload();
    await page.getByRole('heading', { name: 'Protocols' }).waitFor();
    await context.close();
  });

  it('a server that was gone is used again when it is back', async () => {
    const { page, context } = await openLoggedIn();
    await visit(page, '#/rses');
    await page.route(/\/(rules|rses)(\?|$)/, (route) => route.abort());
    await page.getByRole('link', { name: 'Rules' }).click();
    await page.getByText('The server does not answer. This page goes on').waitFor();
    await page.unroute(/\/(rules|rses)(\?|$)/);
    await page.getByRole('link', { name: 'RSEs' }).click();
    await page.getByRole('link', { name: 'CERN_DISK' }).waitFor();
    expect(await page.getByText('The server does not answer. This page goes on').count()).toBe(0);
    await context.close();
  });
});

describe('the keyboard', () => {
  it('closes the menu of a phone with Escape', async () => {
    const { page, context } = await openLoggedIn({ viewport: screens.phone });
    const menu = page.getByRole('button', { name: 'Menu' });
    await menu.press('Enter');
    await page.getByRole('link', { name: 'Rules' }).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Escape');
    await expect.poll(() => menu.getAttribute('aria-expanded')).toBe('false');
    expect(await menu.evaluate((button) => button === document.activeElement)).toBe(true);
    await context.close();
  });

  it('closes the menu of a phone with an Escape that comes before the menu is painted', async () => {
    const { page, context } = await openLoggedIn({ viewport: screens.phone });
    const menu = page.getByRole('button', { name: 'Menu' });
    const isOpenBefore = await menu.evaluate(async (button: HTMLElement) => {
      button.click();
      // The page is rendered in a microtask, and painted in a later task.
      await Promise.resolve().then(() => undefined);
      const isOpen = button.ariaExpanded;
      button.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
      return isOpen;
    });
    expect(isOpenBefore).toBe('true');
    await expect.poll(() => menu.getAttribute('aria-expanded')).toBe('false');
    await context.close();
  });

  it('keeps the box for everything when the search stays the page', async () => {
    const { page, context } = await openLoggedIn();
    await visit(page, '#/search');
    await page.keyboard.press('/');
    await page.keyboard.type('example:data*');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'example:data.RAW' }).waitFor();
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('jump');
    await context.close();
  });
});
