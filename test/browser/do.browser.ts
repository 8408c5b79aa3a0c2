import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';

import type { LocalServer } from '../../local/server.ts';
import { findOverflow, findViolations } from './support/looks.ts';
import { logIn, makeExampleData, openBrowser, openPage, screens, visit } from './support/open-page.ts';
import { type Call, hostileTexts, logInAt, startCatalogue } from './support/seeded-server.ts';

let browser: Browser;
let server: LocalServer;
let call: Call;

beforeAll(async () => {
  browser = await openBrowser();
  server = await startCatalogue();
  await makeExampleData(browser, server.url);
  call = await logInAt(server);
  await call('POST', '/accounts/alice', { type: 'USER', email: 'alice@example.org' });
  const identity = { identity: 'alice', authtype: 'USERPASS', email: 'alice@example.org', password: 'wonderland' };
  await call('POST', '/accounts/alice/identities', identity);
  await call('POST', '/scopes/alice/user.alice');
});

afterAll(async () => {
  await browser?.close();
  await server?.close();
});

const readJson = async (path: string) => (await (await call('GET', path)).json()) as Record<string, unknown>;

/** Fills in the fields of a form by their labels. */
async function fill(page: Page, values: Readonly<Record<string, string>>): Promise<void> {
  for (const [label, value] of Object.entries(values)) {
    const field = page.getByLabel(new RegExp(`^${label}`)).first();
    if ((await field.evaluate((element) => element.tagName)) === 'SELECT') await field.selectOption(value);
    else await field.fill(value);
  }
}

/** Presses the button of the form, and waits until it is done. */
async function send(page: Page, button: string): Promise<void> {
  await page.getByRole('button', { name: button, exact: true }).click();
  await page.getByText('Done.').waitFor();
}

it('makes, fills, empties, closes and ends a dataset, and says before what happens', async () => {
  const { page, context, faults } = await openPage(browser, server.url);
  await logIn(page);
  await visit(page, '#/do/make-collection?scope=example');
  await fill(page, { Name: 'mine', 'DIDs to attach, one a line': 'data.358031.AOD/part-0001.root\nno-such-file' });
  await page.getByText('An open dataset example:mine is made, with 2 DIDs in it.').waitFor();
  await page.getByRole('listitem').filter({ hasText: 'no-such-file' }).getByText('does not exist').waitFor();
  await page.getByRole('button', { name: 'Make it' }).click();
  await page.getByRole('alert').getByText('One of the DIDs does not exist.').waitFor();
  expect(await findViolations(page)).toEqual([]);
  await fill(page, { 'DIDs to attach, one a line': 'data.358031.AOD/part-0001.root' });
  await send(page, 'Make it');
  // The keyboard goes on at the result.
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'example:mine' }).waitFor();

  await page.getByRole('link', { name: 'Attach' }).click();
  await fill(page, { 'DIDs, one a line': 'example:data.358031.AOD/part-0002.root' });
  await send(page, 'Attach');
  await visit(page, '#/do/detach?did=example:mine&members=data.358031.AOD/part-0001.root');
  await send(page, 'Detach');
  expect(await readJson('/dids/example/mine')).toMatchObject({ length: 1, open: true });
  await visit(page, '#/do/set-metadata?did=example:mine');
  await fill(page, { Key: 'run_number', Value: '42' });
  await send(page, 'Set it');
  expect(await readJson('/dids/example/mine/meta?plugin=ALL')).toMatchObject({ run_number: 42 });
  await visit(page, '#/do/close?did=example:mine');
  await send(page, 'Close it');
  expect(await readJson('/dids/example/mine')).toMatchObject({ open: false });
  await visit(page, '#/did/example/mine');
  await page.getByRole('link', { name: 'Open again' }).click();
  await send(page, 'Open it again');

  await visit(page, '#/do/delete-did?did=example:data.358034.AOD');
  await page.getByText(/rules? on it would end with it/).waitFor();
  await page.getByText('its name is never used again').waitFor();
  await send(page, 'Set its end');
  expect((await readJson('/dids/example/data.358034.AOD'))['expired_at']).not.toBeNull();
  await fill(page, { 'It ends': '' });
  await send(page, 'Set its end');
  expect((await readJson('/dids/example/data.358034.AOD'))['expired_at']).toBeNull();
  expect(faults).toEqual([]);
  await context.close();
});

it('offers an account what it may do, and says who may do the rest; also on a phone', async () => {
  const { page, context, faults } = await openPage(browser, server.url, {
    viewport: screens.phone,
    colorScheme: 'dark',
  });
  await page.getByLabel('Account').fill('alice');
  await page.getByLabel('User name').fill('alice');
  await page.getByLabel('Password').fill('wonderland');
  await page.getByRole('button', { name: 'Log in as alice' }).click();
  await page.locator('.shell').waitFor();

  await visit(page, '#/did/example/data.358031.AOD');
  await page.getByText('What others may do').click();
  await page.getByText('Delete: root and administrators; or the owner of the scope').waitFor();
  expect(await page.getByRole('link', { name: 'Delete' }).count()).toBe(0);
  await visit(page, '#/do/close?did=example:data.358031.AOD');
  await page.getByText('Your account may not do this. Who may: root and administrators').waitFor();
  expect(await page.getByRole('button', { name: 'Close it' }).count()).toBe(0);

  // Texts of an address are texts.
  await visit(page, `#/do/make-collection?scope=user.alice&name=${encodeURIComponent(hostileTexts.markup)}`);
  await page.getByText(`An open dataset user.alice:${hostileTexts.markup}`).waitFor();
  await fill(page, { Name: 'own' });
  await send(page, 'Make it');
  expect(await readJson('/dids/user.alice/own')).toMatchObject({ account: 'alice' });
  await visit(page, '#/do');
  await page.getByRole('link', { name: 'Make a dataset or container' }).waitFor();
  expect(await findViolations(page)).toEqual([]);
  expect(await findOverflow(page)).toBe(0);
  expect(faults).toEqual([]);
  await context.close();
});

it('makes an account that can log in, with a scope and a quota, and takes them back', async () => {
  const { page, context, faults } = await openPage(browser, server.url);
  await logIn(page);
  await visit(page, '#/accounts');
  await page.getByRole('link', { name: 'Make an account' }).click();
  await fill(page, { Name: 'bob', 'E-mail': 'bob@example.org', 'User name': 'bob', 'A scope of its own': 'user.bob' });
  await fill(page, { Password: 'builder & co' });
  await page.getByText('The same in a terminal').click();
  // Passwords are in no command.
  expect(await page.locator('.command').allTextContents()).not.toContainEqual(expect.stringContaining('builder'));
  await page.getByText('--id bob --email bob@example.org --password PASSWORD').waitFor();
  await send(page, 'Make the account');
  const statusOf = async (password: string) => {
    const headers = { 'X-Rucio-Account': 'bob', 'X-Rucio-Username': 'bob', 'X-Rucio-Password': password };
    return (await fetch(`${server.url}/auth/userpass`, { headers })).status;
  };
  expect(await statusOf('builder & co')).toBe(200);
  await visit(page, '#/account/bob');
  await page.getByRole('link', { name: 'Set a quota on an RSE' }).click();
  await fill(page, { RSE: 'CERN_DISK', Quota: '1.5 TB' });
  await page.getByText('The rules of bob may keep 1.50 TB on CERN_DISK').waitFor();
  await page.getByText('Now it has no quota there').waitFor();
  await send(page, 'Set the quota');
  expect(await readJson('/accounts/bob/limits/local')).toEqual({ CERN_DISK: 1.5e12 });
  await visit(page, '#/do/set-global-quota?account=bob&expression=rse_type%3DDISK&amount=-1');
  await send(page, 'Set the quota');
  await visit(page, '#/do/remove-global-quota?account=bob&expression=rse_type%3DDISK');
  await send(page, 'Remove the quota');
  await visit(page, '#/do/remove-quota?account=bob&rse=CERN_DISK');
  await send(page, 'Remove the quota');
  expect(await readJson('/accounts/bob/limits/local')).toEqual({});

  await visit(page, '#/do/set-password?account=bob&username=bob');
  await fill(page, { 'New password': 'fixed it' });
  await send(page, 'Set the password');
  expect([await statusOf('builder & co'), await statusOf('fixed it')]).toEqual([401, 200]);
  await visit(page, '#/do/add-identity?account=bob&type=X509&identity=/CN=Bob');
  await send(page, 'Add the identity');
  await visit(page, '#/do/remove-identity?account=bob&type=USERPASS&identity=bob');
  await send(page, 'Remove the identity');
  expect(await (await call('GET', '/accounts/bob/identities')).text()).toMatch(/^[^\n]*CN=Bob[^\n]*\n?$/);
  await visit(page, '#/do/set-account-attribute?account=bob&key=country-ch&value=admin');
  await send(page, 'Set the attribute');
  await visit(page, '#/do/remove-account-attribute?account=bob&key=country-ch');
  await send(page, 'Remove the attribute');
  await visit(page, '#/do/add-scope?account=bob');
  await fill(page, { Scope: 'group.bob' });
  await send(page, 'Make the scope');
  await visit(page, '#/do/give-scope?scope=group.bob&new_account=alice');
  await send(page, 'Give the scope');
  expect(await (await call('GET', '/scopes/alice/scopes')).json()).toContain('group.bob');
  await visit(page, '#/do/edit-account?account=bob&status=SUSPENDED&email=new@example.org');
  await send(page, 'Change the account');
  expect(await readJson('/accounts/bob')).toMatchObject({ status: 'SUSPENDED', email: 'new@example.org' });
  await visit(page, '#/do/delete-account?account=bob');
  await page.getByText('This cannot be undone').waitFor();
  expect(await findViolations(page)).toEqual([]);
  await send(page, 'Delete the account');
  expect(await readJson('/accounts/bob')).toMatchObject({ status: 'DELETED' });
  expect(faults).toEqual([]);
  await context.close();
});
