import { describe, expect, it } from 'vitest';

import { findViolations } from './support/looks.ts';
import { settle } from './support/open-page.ts';
import { exampleSite } from './support/site.ts';

const { call, openAt } = exampleSite();

describe('a new rule', () => {
  it('suggests RSEs and attributes, also behind an operator', async () => {
    const { page, context, faults } = await openAt('#/new-rule');
    const field = page.getByLabel('RSE expression');
    await field.fill('L');
    const readOptions = () =>
      field.evaluate((input: HTMLInputElement) => [...(input.list?.options ?? [])].map(({ value }) => value));
    await expect
      .poll(readOptions)
      .toEqual(expect.arrayContaining(['LYON_DISK', 'LYON_TAPE', 'tier=1', 'rse_type=TAPE']));
    expect(await readOptions()).not.toContain('LYON_DISK=true');
    await field.fill('tier=1&');
    await expect.poll(readOptions).toContain('tier=1&rse_type=DISK');
    expect(faults).toEqual([]);
    await context.close();
  });

  it('shows the space of each RSE, what it has already, and what would really move', async () => {
    const { page, context } = await openAt('#/new-rule?did=example:data.358031.AOD&rses=rse_type%3DDISK');
    await page.getByText('1 copy is 5.85 GB, of which 0 B to 2.28 GB would be copied').waitFor();
    const lyon = page.getByRole('row', { name: /LYON_DISK/ });
    await lyon.getByText('13.3 TB free').waitFor();
    await lyon.getByText('11 of 18 files there, 3.58 GB').waitFor();
    await page
      .getByRole('row', { name: /CERN_DISK/ })
      .getByText('all there, 5.85 GB')
      .waitFor();
    await page.getByLabel('DID', { exact: true }).fill('example:data.AOD');
    await page.getByText(/of which up to .* GB would be copied/).waitFor();
    await page.getByLabel('DID', { exact: true }).fill('example:data.358031.AOD/part-0018.root');
    await page.getByText('1 copy is 325 MB, of which 0 B to 325 MB would be copied').waitFor();
    await lyon.getByText('none there').waitFor();
    await context.close();
  });

  it('lists first the RSEs that can take a copy, says why others cannot, and names those that are ticked', async () => {
    await call('POST', '/rses/A_NARROW', { rse_type: 'DISK' });
    await call('POST', '/rses/A_NARROW/attr/site', { value: 'lab' });
    await call('POST', '/rses/LYON_DISK/attr/site', { value: 'lab' });
    await call('POST', '/rses/CERN_DISK/attr/site', { value: 'lab' });
    const { page, context, faults } = await openAt('#/new-rule?did=example:data.358031.AOD&rses=site%3Dlab');
    await page.getByText('2 of 3 can take a copy now').waitFor();
    const rows = page.getByRole('table', { name: 'The RSEs of the expression' }).locator('tbody').getByRole('row');
    expect(await rows.nth(0).innerText()).toMatch(/CERN_DISK.*fits/s);
    expect(await rows.nth(2).innerText()).toMatch(/A_NARROW.*no quota/s);
    await page.getByLabel('Copies').fill('3');
    await page.getByText('That is fewer than the 3 copies that you want').waitFor();
    await page.getByLabel('Copies').fill('1');
    await page.getByLabel('Use LYON_DISK').check();
    await page.getByText('the rule names the ticked one: LYON_DISK').waitFor();
    await page.getByText('--rses LYON_DISK').waitFor({ state: 'attached' });
    await page.getByLabel('Use CERN_DISK').check();
    await page
      .getByText('--rses LYON_DISK|CERN_DISK')
      .or(page.getByText("--rses 'LYON_DISK|CERN_DISK'"))
      .waitFor({ state: 'attached' });
    expect(await findViolations(page)).toEqual([]);
    expect(faults).toEqual([]);
    await context.close();
  });

  it('warns of fewer RSEs than copies, and cannot be created then', async () => {
    const { page, context, faults } = await openAt('#/new-rule?did=example:data.358031.RAW&rses=LYON_DISK');
    const create = page.getByRole('button', { name: 'Create the rule' });
    await expect.poll(() => create.isEnabled()).toBe(true);
    await page.getByLabel('Copies').fill('2');
    const warning = page.locator('.note[data-tone=waiting]', { hasText: 'fewer than the 2 copies that you want' });
    await warning.getByText('InsufficientTargetRSEs').waitFor();
    expect(await create.isDisabled()).toBe(true);
    expect(await page.getByText('would be copied').count()).toBe(0);
    expect(await findViolations(page)).toEqual([]);
    await page.getByLabel('RSE expression').fill('LYON_DISK|LYON_TAPE');
    await page.getByText('2 copies are 60.4 GB, all of which would be copied').waitFor();
    await expect.poll(() => create.isEnabled()).toBe(true);
    await page.getByLabel('RSE expression').fill('');
    await expect.poll(() => create.isDisabled()).toBe(true);
    expect(faults).toEqual([]);
    await context.close();
  });

  it('says to which RSEs nobody is known to copy, before there is a rule', async () => {
    const { page, context } = await openAt('#/new-rule?did=example:data.358031.RAW&rses=LYON_TAPE');
    await page.getByText('No mover is known for LYON_TAPE: the attribute mover is not set').waitFor();
    await page.getByText('What to do').click();
    await page.getByText('rucio rse attribute set LYON_TAPE --key mover --value webdav').waitFor();
    await page.getByLabel('RSE expression').fill('CERN_DISK');
    await page.getByText('all there, 30.2 GB').waitFor();
    expect(await page.getByText('No mover is known').count()).toBe(0);
    await context.close();
  });

  it('warns of an RSE without a mover also if copies were made there by hand', async () => {
    const readHistory = async () =>
      (await call('GET', '/requests/history/list?src_rse=*&dst_rse=LYON_DISK&request_states=D')).text();
    await expect.poll(readHistory).not.toBe('');
    const place = '#/new-rule?did=example:data.358032.AOD&rses=LYON_DISK';
    const { page, context } = await openAt(place);
    const warning = page.getByText('No mover is known for LYON_DISK: the attribute mover is not set');
    await warning.waitFor();
    await page.getByText('they may have been made by hand').waitFor();
    expect(await findViolations(page)).toEqual([]);
    await call('POST', '/requests/lease', { holder: 'mover-7', dst_rse: 'LYON_DISK', limit: 1 });
    await page.reload();
    await page.getByText('all of which would be copied').waitFor();
    await settle(page);
    expect(await warning.count()).toBe(0);
    await context.close();
  });

  it.each([
    ['DID', 'example:dat', 'There is no such dataset', /Data identifier/],
    ['RSE expression', 'LYO', 'No RSE fits this expression', /resulted in an empty set/],
  ])('is quiet about an unknown %s until its field is left', async (label, text, error, message) => {
    const { page, context } = await openAt('#/new-rule');
    await page.getByLabel(label, { exact: true }).pressSequentially(text);
    await page.locator('p.hint').getByText(message).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    await page.keyboard.press('Tab');
    await page.getByRole('alert').getByText(error).waitFor();
    expect(await page.getByRole('button', { name: 'Create the rule' }).isDisabled()).toBe(true);
    await context.close();
  });

  it('offers the activities of the policy, and makes the rule with the chosen one', async () => {
    const { page, context } = await openAt('#/new-rule?did=example:data.358031.AOD&rses=CERN_DISK');
    await page.getByLabel('Activity').selectOption('Debug');
    await page
      .getByText("--activity 'Debug'")
      .or(page.getByText('--activity Debug'))
      .first()
      .waitFor({ state: 'attached' });
    await page.getByRole('button', { name: 'Create the rule' }).click();
    await page.getByText('Debug', { exact: true }).first().waitFor();
    await context.close();
  });

  it('explains which files stay together', async () => {
    const { page, context } = await openAt('#/new-rule');
    await page.getByLabel('Files that stay together').selectOption('none');
    await page.getByText('RSEs are chosen for each file').waitFor();
    await context.close();
  });
});
