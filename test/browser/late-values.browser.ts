import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';

import { fill } from './support/fill-form.ts';
import { hold, settle, visit } from './support/open-page.ts';
import { addAlice } from './support/seeded-server.ts';
import { exampleSite } from './support/site.ts';

const site = exampleSite();
const { openAt } = site;

describe('what comes late leaves what the reader has typed', () => {
  it.each([
    { act: 'typed', begin: (page: Page) => page.getByLabel('Account').fill('al'), rest: 'ice', username: '' },
    {
      act: 'gone to a field',
      begin: (page: Page) => page.getByLabel('Account').click(),
      rest: 'alice',
      username: 'ddmlab',
    },
  ])('at the log-in, of a reader who has $act before the settings come', async ({ begin, rest, username }) => {
    const { page, context } = await site.open();
    const letGo = await hold(page, /\/ui\/settings$/);
    await page.reload();
    await begin(page);
    const settings = page.waitForResponse('**/ui/settings');
    letGo();
    await (await settings).finished();
    await settle(page);
    await page.keyboard.type(rest);
    expect(await page.getByLabel('Account').inputValue()).toBe('alice');
    expect(await page.getByLabel('User name').inputValue()).toBe(username);
    await context.close();
  });

  it('at the log-in, and nothing beside it that was filled in for another user', async () => {
    const { page, context } = await site.open();
    await page.getByRole('button', { name: 'Log in as root' }).waitFor();
    await page.getByLabel('User name').fill('alice');
    expect(await page.getByLabel('Password').inputValue()).toBe('');
    expect(await page.getByLabel('Account').inputValue()).toBe('');
    await page.getByLabel('Account').fill('alice');
    await page.getByLabel('User name').fill('ddmlab');
    expect(await page.getByLabel('Password').inputValue()).toBe('secret');
    expect(await page.getByLabel('Account').inputValue()).toBe('alice');
    await page.getByRole('button', { name: 'Log in as alice' }).waitFor();
    await context.close();
  });

  it('at a search, while the address takes what was typed before', async () => {
    const { page, context } = await openAt('#/search');
    await page.evaluate(() => {
      const replaceState = history.replaceState.bind(history);
      history.replaceState = (...args) => {
        history.replaceState = replaceState;
        replaceState(...args);
        document.execCommand('insertText', false, 'and more');
      };
    });
    const field = page.getByLabel('Scope and name');
    await field.fill('example:data ');
    await expect.poll(() => page.evaluate(() => location.hash)).toContain('q=example%3Adata+and+more');
    expect(await field.inputValue()).toBe('example:data and more');
    // Another change of the address changes the field.
    await visit(page, '#/search?q=example%3Araw');
    expect(await field.inputValue()).toBe('example:raw');
    await field.fill('example:no');
    await field.press('Enter');
    await field.fill('example:raw');
    await expect.poll(() => page.evaluate(() => location.hash)).toContain('q=example%3Araw');
    await context.close();
  });

  it('as the name of a search that is saved while its address comes', async () => {
    const { page, context } = await openAt('#/search?q=example%3Ara');
    await page.getByLabel('Scope and name').fill('example:data');
    await page.getByRole('button', { name: 'Save this search' }).click();
    const name = page.getByLabel('Name of this search');
    await expect.poll(() => name.inputValue()).toBe('example:data');
    await name.fill('my data');
    await name.press('Enter');
    await page.getByText('Saved as my data.').waitFor();
    await page.evaluate(() => {
      location.hash = '#/search';
    });
    const saved = page.getByRole('link', { name: 'my data' });
    expect(await saved.getAttribute('href')).toContain('q=example%3Adata');
    await context.close();
  });

  it.each(['#/bad?since=2026-01-15', '#/rules?created_after=2026-01-15'])(
    'in a date, part by part: %s',
    async (place) => {
      const { page, context } = await openAt(place);
      const day = page.getByLabel(/^(Since the day|Created from)$/);
      await day.focus();
      await page.keyboard.press('Backspace');
      await expect.poll(() => day.inputValue()).toBe('');
      await settle(page);
      await page.keyboard.type('02');
      await expect.poll(() => page.evaluate(() => location.hash)).toMatch(/2026-(02-15|01-02)/);
      await context.close();
    },
  );

  it('of an expression, which follows the address', async () => {
    const { page, context } = await openAt('#/rses?expression=CERN_DISK');
    const field = page.getByLabel('Expression', { exact: true });
    expect(await field.inputValue()).toBe('CERN_DISK');
    await page.getByRole('link', { name: 'RSEs', exact: true }).click();
    await expect.poll(() => field.inputValue()).toBe('');
    await field.fill(' LYON_DISK ');
    await expect.poll(() => page.evaluate(() => location.hash)).toContain('expression=LYON_DISK');
    expect(await field.inputValue()).toBe(' LYON_DISK ');
    await context.close();
  });

  it('in a field whose text counts once it is complete, when the list below comes', async () => {
    const { page, context } = await openAt('#/accounts');
    const letGo = await hold(page, /\/accounts\b/);
    await page.evaluate(() => {
      location.hash = '#/accounts?tab=space';
    });
    const field = page.getByLabel('Group by the attribute');
    await field.pressSequentially('exper');
    letGo();
    await page.getByRole('table', { name: 'Used space and quota' }).waitFor();
    await field.pressSequentially('iment');
    expect(await field.inputValue()).toBe('experiment');
    await field.press('Enter');
    await expect.poll(() => page.evaluate(() => location.hash)).toContain('by=experiment');
    await context.close();
  });

  it('in the form of a new rule, when the former is made: the reader stays', async () => {
    await site.call('POST', '/accountlimits/local/root/CERN_DISK', { bytes: -1 });
    const { page, context } = await openAt('#/new-rule?did=example:data.358031.RAW&rses=CERN_DISK');
    const letGo = await hold(page, /\/rules\/?$/, 'POST');
    const create = page.getByRole('button', { name: 'Create the rule' });
    await create.click();
    await page.getByLabel('Comment').fill('for the next one');
    letGo();
    await page.getByText('1 rule made:').waitFor();
    expect(await page.evaluate(() => location.hash)).toContain('#/new-rule');
    expect(await page.getByLabel('Comment').inputValue()).toBe('for the next one');
    await expect.poll(() => create.isEnabled()).toBe(true);
    await context.close();
  });

  it('in the fields of a new metadatum, when the former is set', async () => {
    const { page, context } = await openAt('#/did/example/data.358031.AOD?tab=metadata');
    const letGo = await hold(page, /\/meta\b/, 'POST');
    const [key, value] = [page.getByLabel('New key'), page.getByLabel('Value', { exact: true })];
    await key.fill('energy');
    await value.fill('13600');
    await page.getByRole('button', { name: 'Set', exact: true }).click();
    await key.fill('beam');
    letGo();
    await page.getByRole('button', { name: 'Change energy' }).waitFor();
    expect([await key.inputValue(), await value.inputValue()]).toEqual(['beam', '']);
    await context.close();
  });

  it('in the field of a changed metadatum, when the former value is set', async () => {
    const { page, context } = await openAt('#/did/example/data.358032.AOD?tab=metadata');
    const letGo = await hold(page, /\/meta\b/, 'POST');
    await page.getByRole('button', { name: 'Change run_number' }).click();
    const value = page.getByLabel('Value of run_number');
    await value.fill('358050');
    await page.getByRole('button', { name: 'Save' }).click();
    await value.fill('358051');
    letGo();
    await settle(page);
    expect(await value.inputValue()).toBe('358051');
    const change = page.getByRole('button', { name: 'Change run_number' });
    expect(await change.count()).toBe(0);
    await page.getByRole('button', { name: 'Save' }).click();
    await change.waitFor();
    await page.getByText('358051', { exact: true }).waitFor();
    await context.close();
  });

  it('in the field of a new password, when the former is set', async () => {
    await addAlice(site.call);
    const { page, context } = await openAt('#/do/set-password');
    const letGo = await hold(page, /\/userpass$/, 'PUT');
    await fill(page, { Account: 'alice', 'User name': 'alice', 'New password': 'first' });
    await page.getByRole('button', { name: 'Set the password' }).click();
    await fill(page, { Account: 'bob', 'New password': 'second' });
    letGo();
    const done = page.locator('.note').filter({ hasText: 'Done.' });
    expect(await done.getByRole('link').getAttribute('href')).toBe('#/account/alice');
    expect(await page.getByLabel('New password').inputValue()).toBe('second');
    expect(await page.getByRole('button', { name: 'Set the password' }).isEnabled()).toBe(true);
    await context.close();
  });

  it('in the list of replicas to declare bad, when the former are declared', async () => {
    const { page, context } = await openAt('#/bad');
    const letGo = await hold(page, /\/replicas\/bad\/dids$/, 'POST');
    const files = page.getByLabel('Files, one on each line');
    await files.fill('example:data.358032.AOD/part-0001.root');
    await page.getByLabel('On the RSE').fill('CERN_DISK');
    await page.getByLabel('Reason').fill('checksums differ');
    await page.getByRole('button', { name: 'Declare bad' }).click();
    const times = page.getByLabel('At least so many times');
    await times.pressSequentially('2');
    await files.fill('example:data.358032.AOD/part-0002.root');
    await times.focus();
    letGo();
    await page.getByText('1 declared.').waitFor();
    await settle(page);
    await page.keyboard.press('End');
    await page.keyboard.type('3');
    expect(await times.inputValue()).toBe('23');
    expect(await files.inputValue()).toBe('example:data.358032.AOD/part-0002.root');
    await context.close();
  });
});

it('a page that cannot be read again keeps what is typed in its forms', async () => {
  const { page, context } = await openAt('#/did/example/data.358033.AOD?tab=metadata');
  await page.route(/\/meta\?/, (route) => route.fulfill({ status: 503 }));
  await page.getByRole('button', { name: 'Change run_number' }).click();
  await page.getByLabel('Value of run_number').fill('358050');
  await page.getByLabel('New key').fill('beam');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('alert').waitFor();
  expect(await page.getByLabel('New key').inputValue()).toBe('beam');
  await page.unroute(/\/meta\?/);
  await page.getByRole('alert').getByRole('button').click();
  await page.getByText('358050', { exact: true }).waitFor();
  expect(await page.getByLabel('New key').inputValue()).toBe('beam');
  expect(await page.getByRole('alert').count()).toBe(0);
  await context.close();
});

describe('what is refused stays in its field', () => {
  it('a value of metadata, changed or new', async () => {
    const { page, context } = await openAt('#/did/example/data.358031.AOD?tab=metadata');
    await page.getByRole('button', { name: 'Change run_number' }).click();
    await page.getByLabel('Value of run_number').fill('many');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alert').waitFor();
    expect(await page.getByLabel('Value of run_number').inputValue()).toBe('many');
    await page.getByLabel('New key').fill('events');
    await page.getByLabel('Value', { exact: true }).fill('many');
    await page.getByRole('button', { name: 'Set', exact: true }).click();
    await settle(page);
    expect(await page.getByLabel('New key').inputValue()).toBe('events');
    await context.close();
  });
});
