import { expect, it } from 'vitest';

import { fill, send } from './support/fill-form.ts';
import { findOverflow, findViolations } from './support/looks.ts';
import { screens, settle, visit } from './support/open-page.ts';
import { exampleSite } from './support/site.ts';

const site = exampleSite();
const { call, openAt } = site;

const dayFromNow = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

it('rules are filtered by the days of their creation and change, in an address that can be passed on', async () => {
  const { page, context } = await openAt('#/rules');
  await page.locator('tbody tr').first().waitFor();
  const all = await page.locator('tbody tr').count();
  await page.getByText('By date').click();
  await page.getByLabel('Created until').fill(dayFromNow(-2));
  await page.getByLabel('Created until').press('Tab');
  await page.getByText('No rule fits.').waitFor();
  expect(await page.evaluate(() => location.hash)).toContain(`created_before=${dayFromNow(-2)}`);
  expect(await findViolations(page)).toEqual([]);
  await page.reload();
  await page.getByText('No rule fits.').waitFor();
  await visit(page, `#/rules?created_after=${dayFromNow(-2)}&updated_before=${dayFromNow(1)}`);
  await expect.poll(() => page.locator('tbody tr').count()).toBe(all);
  await context.close();
});

it('suspicious replicas are filtered by attempts, ticked and declared bad together', async () => {
  const names = [1, 2, 3, 4].map((number) => `data.358031.RAW/part-000${number}.root`);
  const suspect = (files: readonly string[]) =>
    call('POST', '/replicas/suspicious', {
      pfns: files.map((name) => ({ scope: 'example', name, rse: 'CERN_DISK' })),
      reason: 'slow',
    });
  await suspect(names);
  await suspect(names.slice(0, 2));
  const { page, context, faults } = await openAt('#/bad');
  const table = page.getByRole('table', { name: 'Suspicious replicas' });
  await expect.poll(() => table.locator('tbody tr').count()).toBe(4);
  // A replica that is declared bad by its name is no longer chosen.
  await page.getByRole('button', { name: 'Choose all of these' }).click();
  await page.getByText('4 replicas chosen.').waitFor();
  await page.getByLabel('Files, one on each line').fill(`example:${names[3]}`);
  await page.getByLabel('On the RSE').fill('CERN_DISK');
  await page.getByLabel('Reason').fill('lost');
  await page.getByRole('button', { name: 'Declare bad', exact: true }).click();
  await page.getByText('3 replicas chosen.').waitFor();
  await expect.poll(() => table.locator('tbody tr').count()).toBe(3);
  await page.getByRole('button', { name: 'Choose none' }).click();

  await page.getByLabel('At least so many times').fill('2');
  await page.getByLabel('At least so many times').press('Tab');
  await expect.poll(() => table.locator('tbody tr').count()).toBe(2);
  expect(await table.locator('tbody tr').first().textContent()).toContain('2');
  await page.getByRole('button', { name: 'Choose all of these' }).click();
  await page.getByText('2 replicas chosen.').waitFor();
  await page.getByLabel('Why they are bad').fill('read errors');
  expect(await findViolations(page)).toEqual([]);
  await page.setViewportSize(screens.phone);
  expect(await findOverflow(page)).toBe(0);
  await page.getByRole('button', { name: 'Declare 2 replicas bad' }).click();
  await page.getByText('None.').first().waitFor();
  await settle(page);
  const bad = await (await call('GET', '/replicas/bad/states?state=B')).text();
  expect(names.filter((name) => bad.includes(name))).toEqual(names.toSpliced(2, 1));
  expect(faults).toEqual([]);
  await context.close();
});

it('a form says which names the policy takes, before one is refused', async () => {
  const { page, context } = await openAt('#/do/make-collection?scope=example');
  const rule = page.getByText('The policy generic wants names of datasets that match');
  await rule.waitFor();
  await page.getByLabel('Name').fill('no blanks');
  await page.getByText('no blanks would be refused.').waitFor();
  expect(await findViolations(page)).toEqual([]);
  await page.getByLabel('Name').fill('no.blanks');
  await page.getByText('would be refused').waitFor({ state: 'detached' });
  await visit(page, '#/do/add-rse');
  await fill(page, { Name: 'lower' });
  await page.getByText('lower would be refused.').waitFor();
  await visit(page, '#/do/add-scope?account=root');
  await fill(page, { Scope: 'group.new' });
  await send(page, 'Make the scope');
  await context.close();
});

it('a reader whose browser has shown a certificate logs in with it', async () => {
  const { page, context } = await site.open();
  // Only a gateway with mutual TLS tells a certificate: its two answers are the ones that test/http pins.
  await page.route('**/ui/settings', async (route) => {
    const answer = await route.fetch();
    const settings = (await answer.json()) as object;
    await route.fulfill({ response: answer, json: { ...settings, certificate: '/CN=Jane Doe' } });
  });
  const loggedIn = await fetch(`${site.url}/auth/userpass`, {
    headers: { 'X-Rucio-Account': 'root', 'X-Rucio-Username': 'ddmlab', 'X-Rucio-Password': 'secret' },
  });
  const token = loggedIn.headers.get('X-Rucio-Auth-Token') ?? '';
  await page.route('**/auth/x509', (route) =>
    route.fulfill({
      headers: { 'X-Rucio-Auth-Token': token, 'X-Rucio-Auth-Account': 'root' },
      contentType: 'application/octet-stream',
      body: '',
    }),
  );
  await page.reload();
  await page.getByRole('button', { name: 'With your certificate' }).click();
  await page.locator('.shell').waitFor();
  await page.getByRole('heading', { name: 'Home' }).waitFor();
  await context.close();
});

it('open data are listed by state, with DOI, files and metadata', async () => {
  const entry = '/opendata/dids/example/data.358031.AOD';
  await call('POST', entry);
  await call('POST', '/config/', { opendata: { rse_expression: 'CERN_DISK' } });
  await call('PUT', '/dids/example/data.358031.AOD/status', { open: false });
  await call('PUT', entry, { state: 'public', doi: '10.1234/abcd.efgh', meta: { title: '<b>Open</b> events' } });
  await call('POST', '/opendata/dids/example/data.358032.AOD');
  const { page, context, faults } = await openAt('#/opendata');
  await expect.poll(() => page.locator('tbody tr').count()).toBe(2);
  await page.getByLabel('State').selectOption('public');
  await expect.poll(() => page.locator('tbody tr').count()).toBe(1);
  expect(await findViolations(page)).toEqual([]);
  await page.getByRole('link', { name: 'DOI, record and files' }).click();
  await page.getByText('10.1234/abcd.efgh').waitFor();
  await page.getByText('<b>Open</b> events').waitFor();
  expect(await findViolations(page)).toEqual([]);
  expect(faults).toEqual([]);
  await context.close();
});

it('space is added up by account, and by the value of an attribute', async () => {
  await call('POST', '/accounts/anna', { type: 'USER', email: 'anna@example.org' });
  await call('POST', '/accounts/anna/attr/experiment', { key: 'experiment', value: 'muon' });
  await call('POST', '/accountlimits/local/anna/CERN_DISK', { bytes: 1e12 });
  const { page, context } = await openAt('#/accounts?tab=space');
  const table = page.getByRole('table', { name: 'Used space and quota' });
  await table.getByRole('row', { name: /anna.* of 1\.00 TB/ }).waitFor();
  await table.getByRole('row', { name: /root/ }).waitFor();
  await page.getByLabel('Group by the attribute').fill('experiment');
  await page.getByLabel('Group by the attribute').press('Tab');
  await table.getByRole('row', { name: /muon.* of 1\.00 TB/ }).waitFor();
  await table.getByRole('row', { name: /without it/ }).waitFor();
  expect(await findViolations(page)).toEqual([]);
  await context.close();
});
