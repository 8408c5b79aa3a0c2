import { beforeAll, expect, it } from 'vitest';

import { fill, send } from './support/fill-form.ts';
import { findViolations } from './support/looks.ts';
import { visit } from './support/open-page.ts';
import { addAlice, hostileTexts } from './support/seeded-server.ts';
import { exampleSite } from './support/site.ts';

const site = exampleSite();
const { call, openAt } = site;

beforeAll(() => addAlice(call));

const readJson = async (path: string) => (await (await call('GET', path)).json()) as Record<string, unknown>;

it('makes an account that can log in, with a scope and a quota, and takes them back', async () => {
  const { page, context, faults } = await openAt('#/accounts');
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
    return (await fetch(`${site.url}/auth/userpass`, { headers })).status;
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
  const { page, context, faults } = await openAt('#/rses');
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

it('makes a subscription after showing what matches, stops and starts it; sets options', async () => {
  const { page, context, faults } = await openAt('#/subscriptions');
  await page.getByRole('link', { name: 'Make a subscription' }).click();
  await fill(page, {
    Name: 'second',
    'Scopes, one a line': 'example',
    'Names that match': '(',
    'Rules on the RSEs': 'LYON_DISK',
  });
  await page.getByText('The pattern cannot be read.').waitFor();
  await fill(page, { 'Names that match': 'data\\.3580.*' });
  await fill(page, { 'Metadata, one a line': 'datatype=AOD' });
  await page.getByText(/DIDs that exist would match in example/).waitFor();
  await fill(page, { Comment: hostileTexts.markup });
  await send(page, 'Make the subscription');
  await call('POST', '/dids/example/data.3580-new', { type: 'DATASET', meta: { datatype: 'AOD' } });
  await call('POST', '/dids/example/other', { type: 'DATASET', meta: { datatype: 'AOD' } });
  await expect
    .poll(async () => (await call('GET', '/dids/example/data.3580-new/rules')).text())
    .toContain('"rse_expression": "LYON_DISK"');
  expect(await (await call('GET', '/dids/example/other/rules')).text()).toBe('');
  await visit(page, '#/subscription/root/second');
  await page.getByRole('link', { name: 'Stop' }).click();
  await send(page, 'Stop the subscription');
  await visit(page, '#/do/start-subscription?account=root&name=second&comment=again');
  await send(page, 'Start the subscription');
  expect(await (await call('GET', '/subscriptions/root/second')).text()).toContain('again');

  await visit(page, '#/configuration');
  await page
    .getByRole('row', { name: /kept_hours/ })
    .getByText('default: 24')
    .waitFor();
  expect(await findViolations(page)).toEqual([]);
  await page.getByRole('link', { name: 'Set events.kept_hours' }).click();
  await fill(page, { Value: '48' });
  await page.getByText('Values: hours, 1 to 9,999. Default: 24.').waitFor();
  await send(page, 'Set the option');
  await page.getByRole('link', { name: 'Show the configuration' }).click();
  await page.getByRole('link', { name: 'Default of events.kept_hours' }).click();
  await send(page, 'Delete the option');
  expect(await readJson('/config/')).not.toHaveProperty('events');
  expect(faults).toEqual([]);
  await context.close();
});
