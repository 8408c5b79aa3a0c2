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
    await page.getByLabel('New password').fill('second');
    letGo();
    await page.locator('.note').filter({ hasText: 'Done.' }).waitFor();
    expect(await page.getByLabel('New password').inputValue()).toBe('second');
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
    await files.fill('example:data.358032.AOD/part-0002.root');
    letGo();
    await page.getByText('1 declared.').waitFor();
    expect(await files.inputValue()).toBe('example:data.358032.AOD/part-0002.root');
    await context.close();
  });
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
