import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';

import type { LocalServer } from '../../local/server.ts';
import { logIn, openBrowser, openPage, visit } from './support/open-page.ts';
import { startCatalogue } from './support/seeded-server.ts';

let browser: Browser;
let server: LocalServer;

beforeAll(async () => {
  browser = await openBrowser();
  server = await startCatalogue();
});

afterAll(async () => {
  await browser?.close();
  await server?.close();
});

it('users change their password on the page of their account, and stay logged in', async () => {
  const { page, context } = await openPage(browser, server.url);
  await logIn(page);
  await visit(page, '#/account/root');
  const form = page.getByRole('region', { name: 'Change the password' });
  await form.getByLabel('Present password').fill('wrong');
  await form.getByLabel('New password').fill('next');
  await form.getByRole('button', { name: 'Change the password' }).click();
  await form.getByText('The present password is wrong.').waitFor();
  await form.getByLabel('Present password').fill('secret');
  await form.getByRole('button', { name: 'Change the password' }).click();
  await form.getByText('The password is set.').waitFor();
  await visit(page, '#/rses');
  expect(await page.getByRole('dialog').count()).toBe(0);
  const statusOf = async (password: string) => {
    const headers = { 'X-Rucio-Account': 'root', 'X-Rucio-Username': 'ddmlab', 'X-Rucio-Password': password };
    return (await fetch(`${server.url}/auth/userpass`, { headers })).status;
  };
  expect([await statusOf('secret'), await statusOf('next')]).toEqual([401, 200]);
  await context.close();
});
