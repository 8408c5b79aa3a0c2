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
  await page.locator('.note[data-tone=good]').getByText('Done.').waitFor();
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
  await page.getByRole('button', { name: /^Log in( as alice)?$/ }).click();
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

it('makes an RSE with its protocol, changes it, declares its replicas and deletes another', async () => {
  const { page, context, faults } = await openPage(browser, server.url);
  await logIn(page);
  await visit(page, '#/rses');
  await page.getByRole('link', { name: 'Make an RSE' }).click();
  await fill(page, { Name: 'LAB', Protocol: 'davs', Host: 'lab.example.org', Folder: '/data' });
  await fill(page, { 'Attributes, one a line': 'tier=3\nbad key here' });
  await page.getByText('davs://lab.example.org:443/data').first().waitFor();
  await fill(page, { 'Attributes, one a line': 'tier=3\nmover=webdav' });
  await send(page, 'Make the RSE');
  expect(await readJson('/rses/LAB')).toMatchObject({
    deterministic: true,
    protocols: [{ scheme: 'davs', port: 443, domains: { wan: { read: 1, third_party_copy_write: 1 } } }],
  });
  expect(await readJson('/rses/LAB/attr')).toMatchObject({ tier: '3', mover: 'webdav' });

  await visit(page, '#/rse/LAB?tab=settings');
  await page.getByRole('link', { name: 'Add a protocol' }).click();
  await fill(page, { Protocol: 'root', Host: 'x.example.org', Folder: '/x', For: 'read' });
  await page.getByText(/Now a file some\.scope:some\.file would be written to .*lab\.example\.org/).waitFor();
  await send(page, 'Add the protocol');
  await visit(page, '#/do/remove-protocol?rse=LAB&scheme=root&hostname=x.example.org&port=1094');
  await send(page, 'Remove the protocol');
  await visit(page, '#/do/edit-rse?rse=LAB&write=no');
  await page.getByText('may not write').waitFor();
  await send(page, 'Change the RSE');
  await visit(page, '#/do/edit-rse?rse=LAB&write=yes');
  await send(page, 'Change the RSE');
  expect(await readJson('/rses/LAB')).toMatchObject({ availability_write: true, protocols: [{ scheme: 'davs' }] });
  await visit(page, '#/do/set-rse-attribute?rse=LAB&key=site&value=lab');
  await send(page, 'Set the attribute');
  await visit(page, '#/do/remove-rse-attribute?rse=LAB&key=site');
  await send(page, 'Remove the attribute');
  await visit(page, '#/do/set-rse-limit?rse=LAB&amount=1%20GB');
  await send(page, 'Set the limit');
  expect(await readJson('/rses/LAB/limits')).toEqual({ MinFreeSpace: 1e9 });
  await visit(page, '#/do/set-distance?rse=LAB&destination=CERN_DISK&distance=4');
  await send(page, 'Set the distance');

  // Replicas: registered, declared bad and unavailable, recovered, and let go.
  await visit(page, '#/do/add-replicas?rse=LAB');
  await fill(page, { 'Files, one a line': 'example:lab-1 1000 0cc737eb\nexample:lab-2 1000 0cc737eb' });
  await send(page, 'Register them');
  const stateOf = async (name: string) => {
    const answer = await call('POST', '/replicas/list', { dids: [{ scope: 'example', name }], all_states: true });
    return (JSON.parse(await answer.text()) as { states: Record<string, string> }).states['LAB'];
  };
  await visit(page, '#/bad');
  await page.getByRole('link', { name: 'Declare replicas bad' }).click();
  await fill(page, { RSE: 'LAB', 'Files, one a line': 'example:lab-1\nexample:lab-2', Reason: hostileTexts.markup });
  await send(page, 'Declare them bad');
  expect(await stateOf('lab-1')).toBe('BAD');
  await visit(page, '#/do/recover-replicas?rse=LAB&files=example:lab-1');
  await send(page, 'Declare them available');
  expect(await stateOf('lab-1')).toBe('AVAILABLE');
  await visit(page, '#/do/delete-replicas?rse=LAB&files=example:lab-1');
  expect(await findViolations(page)).toEqual([]);
  await send(page, 'Let them be deleted');

  await call('POST', '/rses/EMPTY', {});
  await visit(page, '#/do/delete-rse?rse=EMPTY');
  await send(page, 'Delete the RSE');
  await visit(page, '#/do/delete-rse?rse=LAB');
  await page.getByRole('button', { name: 'Delete the RSE' }).click();
  await page.getByRole('alert').waitFor();
  expect(faults).toEqual([]);
  await context.close();
});

it('moves, reduces, changes and repairs rules', async () => {
  const { page, context, faults } = await openPage(browser, server.url);
  await logIn(page);
  const add = async (copies: number, expression: string) => {
    const rule = { account: 'root', copies, rse_expression: expression, dids: [{ scope: 'example', name: 'mine' }] };
    return ((await (await call('POST', '/rules/', rule)).json()) as [string])[0];
  };
  const id = await add(2, 'CERN_DISK|LYON_DISK');
  await visit(page, `#/rule/${id}`);
  await page.getByRole('link', { name: 'Change more' }).click();
  await page.getByRole('listitem').filter({ hasText: 'CERN_DISK|LYON_DISK' }).waitFor();
  await fill(page, { Comment: hostileTexts.markup, 'Days until it ends': '3' });
  await page.getByText('Changed: lifetime, comment.').waitFor();
  await send(page, 'Change the rule');
  expect(await readJson(`/rules/${id}`)).toMatchObject({ comments: hostileTexts.markup });
  await visit(page, `#/do/repair-rules?rules=${id}&priority=5`);
  await send(page, 'Repair them');
  expect(await readJson(`/rules/${id}`)).toMatchObject({ priority: 5 });
  await visit(page, `#/do/reduce-rule?rule=${id}&copies=1`);
  await send(page, 'Reduce the rule');
  const moved = await add(1, 'LYON_DISK');
  await visit(page, `#/do/move-rule?rule=${moved}&expression=CERN_DISK`);
  await page.getByText('A new rule for CERN_DISK is made').waitFor();
  await send(page, 'Move the rule');
  // Its files are there already, so the former rule may have gone.
  expect(await (await call('GET', '/dids/example/mine/rules')).text()).toContain('"rse_expression": "CERN_DISK"');
  expect(faults).toEqual([]);
  await context.close();
});
