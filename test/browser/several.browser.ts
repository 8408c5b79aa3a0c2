import { beforeAll, expect, it } from 'vitest';

import { findOverflow, findViolations } from './support/looks.ts';
import { settle, visit } from './support/open-page.ts';
import { addAlice } from './support/seeded-server.ts';
import { exampleSite } from './support/site.ts';

const { call, openAt } = exampleSite();

beforeAll(() => addAlice(call));

const readRules = async (query: string) =>
  (await (await call('GET', `/rules/?${query}`)).text())
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, unknown>);

it('rules for several DIDs: ticked in a search by the keyboard, with an end, in the background, made at once', async () => {
  const { page, context, faults } = await openAt('#/search?q=example:*AOD*');
  await page.getByLabel('Choose example:data.358031.AOD', { exact: true }).focus();
  await page.keyboard.press('Space');
  await page.getByLabel('Choose example:data.358032.AOD', { exact: true }).check();
  await page.getByText('2 DIDs chosen.').waitFor();
  expect(await findViolations(page)).toEqual([]);
  await page.locator('.chosen').getByRole('link', { name: 'New rule' }).click();
  await page.getByText('2 DIDs, each of which gets a rule').waitFor();
  await page.getByLabel('RSE expression').fill('CERN_DISK');
  await page.getByText('would be copied').waitFor();
  const day = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10);
  await page.getByLabel('Or its last day').fill(day);
  await page.getByLabel('Comment').fill('several at once');
  await page.getByText('More options').click();
  await page.getByLabel('Place it in the background').check();
  await page.getByLabel('Notifications').selectOption('C');
  expect(await findViolations(page)).toEqual([]);
  await page.getByText('The same in a terminal').click();
  await page
    .getByText(/rucio rule add example:data\.358031\.AOD example:data\.358032\.AOD .*--notify C .*--asynchronous/)
    .waitFor();
  await page.getByRole('button', { name: 'Create 2 rules' }).click();
  await page.getByText('2 rules made:').waitFor();
  expect(await page.evaluate(() => document.activeElement?.textContent)).toContain('2 rules made');
  const made = (await readRules('account=root')).filter(({ comments }) => comments === 'several at once');
  expect(made.map(({ name }) => String(name)).toSorted()).toEqual(['data.358031.AOD', 'data.358032.AOD']);
  for (const rule of made) {
    expect(rule).toMatchObject({ notification: 'CLOSE', rse_expression: 'CERN_DISK' });
    // The end of the day in the zone of the browser.
    expect(Math.abs(Date.parse(String(rule['expires_at'])) - Date.parse(`${day}T22:59:59Z`))).toBeLessThan(3_700_000);
  }
  expect(faults).toEqual([]);
  await context.close();
});

it('a pasted list names what does not exist, and then nothing can be created', async () => {
  const { page, context } = await openAt('#/new-rule?rses=CERN_DISK');
  await page.getByLabel('DID', { exact: true }).focus();
  await page.evaluate(() => {
    const data = new DataTransfer();
    data.setData('text', 'example:data.358031.AOD\nexample:data.358031.AOD\nexample:nothing');
    document.activeElement?.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData: data, cancelable: true, bubbles: true }),
    );
  });
  await page.getByLabel('DIDs, one a line').waitFor();
  await page.getByText('1 DID of these does not exist').waitFor();
  expect(await page.getByRole('button', { name: /^Create/ }).isDisabled()).toBe(true);
  await page.getByLabel('DIDs, one a line').fill('example:data.358031.AOD\nno did');
  await page.getByText('Write scope, colon, name, on each line').waitFor();
  await context.close();
});

it('a rule for a sample of the files makes the sample first', async () => {
  await call('POST', '/accountlimits/local/root/CERN_DISK', { bytes: -1 });
  const { page, context, faults } = await openAt('#/new-rule?did=example:data.358031.RAW&rses=CERN_DISK');
  await page.getByText('More options').click();
  await page.getByLabel('Only a sample of so many files').fill('3');
  await page.getByText('A dataset with 3 files chosen at random').waitFor();
  await page.getByLabel('Scope of the sample').fill('example');
  expect(await findViolations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Create the rule' }).click();
  await page.waitForFunction(() => location.hash.startsWith('#/rule/'));
  const found = (await (await call('GET', '/dids/example/data.358031.RAW.sample')).json()) as { length: number };
  expect(found.length).toBe(3);
  expect((await readRules('name=data.358031.RAW.sample&scope=example')).length).toBe(1);
  expect(faults).toEqual([]);
  await context.close();
});

it('the metadata of a found DID are beside the list, and Escape returns to it', async () => {
  const { page, context } = await openAt('#/search?q=example:*AOD*');
  await page.getByRole('button', { name: 'Show metadata of example:data.358031.AOD', exact: true }).click();
  const panel = page.getByRole('complementary', { name: 'Metadata of example:data.358031.AOD' });
  await panel.getByText('run_number').waitFor();
  await panel.getByText('358031', { exact: true }).waitFor();
  expect(await findViolations(page)).toEqual([]);
  expect(await findOverflow(page)).toBe(0);
  await page.keyboard.press('Escape');
  await panel.waitFor({ state: 'detached' });
  expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toContain('Show metadata of');
  await context.close();
});

it('a search is saved under a name, found by the palette and the search page, and forgotten', async () => {
  const { page, context } = await openAt('#/search?q=example:*RAW*');
  await page.getByRole('button', { name: 'Save this search' }).click();
  await page.getByLabel('Name of this search').waitFor();
  await page.keyboard.type('My raw data');
  await page.keyboard.press('Enter');
  await page.getByText('Saved as My raw data').waitFor();
  await visit(page, '#/rses');
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Page, action or name' }).waitFor();
  await page.keyboard.type('my raw');
  await page.getByRole('option', { name: 'My raw data saved search' }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByText('data.358031.RAW').first().waitFor();
  await visit(page, '#/search');
  await page.getByRole('heading', { name: 'Your saved searches' }).waitFor();
  expect(await findViolations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Forget My raw data' }).click();
  await page.getByRole('heading', { name: 'Your saved searches' }).waitFor({ state: 'detached' });
  await context.close();
});

it('a rule that waits is denied at home with a reason in one step', async () => {
  const wish = { dids: [{ scope: 'example', name: 'data.358032.AOD' }], account: 'root', copies: 1 };
  await call('POST', '/rules/', { ...wish, rse_expression: 'LYON_DISK', ask_approval: true, comment: 'please' });
  const { page, context, faults } = await openAt('#/home');
  await page.getByRole('button', { name: 'Deny the rule for example:data.358032.AOD' }).click();
  await page.getByLabel('Reason').fill('too large');
  expect(await findViolations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Deny it' }).click();
  await page.getByText('Denied. example:data.358032.AOD').waitFor();
  await settle(page);
  expect(await readRules('state=WAITING_APPROVAL')).toEqual([]);
  expect(faults).toEqual([]);
  await context.close();
});
