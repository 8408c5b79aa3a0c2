import { expect, it } from 'vitest';

import { visit } from './support/open-page.ts';
import { emptySite } from './support/site.ts';

const site = emptySite();
const { openAt } = site;

it('users change their password on the page of their account, and stay logged in', async () => {
  const { page, context } = await openAt('#/account/root');
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
    return (await fetch(`${site.url}/auth/userpass`, { headers })).status;
  };
  expect([await statusOf('secret'), await statusOf('next')]).toEqual([401, 200]);
  await context.close();
});
