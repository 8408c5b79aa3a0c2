import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { openBrowser, openPage, type OpenPage, visit } from '../support/open-page.ts';
import { type Call, logInAt } from '../support/seeded-server.ts';

/** The page below the stage of the API, such as http://abc.execute-api.localhost:4567/dev. */
const pageUrl = readVariable('PAGE_URL');
const user = { username: readVariable('ROOT_USERNAME'), password: readVariable('ROOT_PASSWORD') };

let browser: Browser;
let call: Call;
/** All tests go on in one page, as a reader does. */
let opened: OpenPage;

beforeAll(async () => {
  call = await logInAt({ url: readVariable('API_URL') }, user);
  await seed();
  browser = await openBrowser();
  opened = await openPage(browser, pageUrl);
});

afterAll(() => browser?.close());

function readVariable(name: string): string {
  const value = process.env[name];
  if (value === undefined || value === '') throw new Error(`${name} is not set: run npm run test:deploy -- --page`);
  return value;
}

const scope = 'seen';
const dataset = 'run.7/raw';

/** A dataset with two files on a disk, and a second RSE with quota. */
async function seed(): Promise<void> {
  await call('POST', `/scopes/root/${scope}`);
  for (const rse of ['SEEN_DISK', 'SEEN_COPY']) {
    await call('POST', `/rses/${rse}`, { city: 'Geneva' });
    await call('POST', `/accounts/root/limits/local/${rse}`, { bytes: 1e12 });
  }
  await call('POST', `/dids/${scope}/${encodeURIComponent(dataset)}`, {
    type: 'DATASET',
    rse: 'SEEN_DISK',
    meta: { run_number: 700_001 },
    dids: ['a', 'b'].map((name) => ({ scope, name: `${dataset}/${name}.root`, bytes: 1_048_576, adler32: '0cc737eb' })),
  });
}

it('opens below the stage, with an empty log-in', async () => {
  const { page } = opened;
  await page.getByRole('button', { name: 'Log in', exact: true }).waitFor();
  expect(page.url()).toBe(`${pageUrl}/ui/`);
  expect(await page.getByLabel('Password').inputValue()).toBe('');
});

it('refuses a wrong password in words, and lets the right one in', async () => {
  const { page } = opened;
  await page.getByLabel('User name').fill(user.username);
  await page.getByLabel('Password').fill('wrong');
  await page.getByLabel('Account').fill('root');
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await page.getByRole('alert').getByText('The user name, the password or the account is wrong.').waitFor();
  await page.getByLabel('Password').fill(user.password);
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await page.locator('.shell').waitFor();
});

it('finds a dataset by its metadata', async () => {
  const { page } = opened;
  await visit(page, `#/search?q=${scope}:&f=run_number%3D700001`);
  await page.getByRole('link', { name: `${scope}:${dataset}` }).click();
  await page.getByRole('heading', { name: `${scope}:${dataset}` }).waitFor();
});

it('shows where its files are, though its name has a slash', async () => {
  const { page } = opened;
  await visit(page, `#/did/${scope}/${encodeURIComponent(dataset)}?tab=replicas`);
  await page.getByRole('row', { name: /b\.root/ }).waitFor();
  expect(await page.getByRole('row', { name: /b\.root/ }).innerText()).toMatch(/available/);
});

it('makes a rule, and follows the files that arrive', async () => {
  const { page } = opened;
  await visit(page, `#/new-rule?did=${encodeURIComponent(`${scope}:${dataset}`)}&rses=SEEN_COPY`);
  await page.getByText(/It means 1 RSE now/).waitFor();
  await page.getByRole('button', { name: 'Create the rule' }).click();
  await page.getByRole('heading', { name: /^Rule [0-9a-f]{8}/ }).waitFor();
  await page.reload();
  await page.getByText('0 of 2 files there').waitFor();
  const files = ['a', 'b'].map((name) => ({ scope, name: `${dataset}/${name}.root`, state: 'A' }));
  await call('PUT', '/replicas', { rse: 'SEEN_COPY', files });
  await page.getByText('2 of 2 files there').waitFor();
});

it('shows an RSE, and the address can be passed on', async () => {
  const { page, context } = opened;
  await visit(page, '#/rses?expression=SEEN_COPY');
  await page.getByRole('link', { name: 'SEEN_COPY' }).click();
  await page.getByRole('heading', { name: 'Usage' }).waitFor();
  const other = await context.newPage();
  await other.goto(page.url());
  await other.getByRole('heading', { name: 'SEEN_COPY' }).waitFor();
  await other.close();
});

it('has the reference below the stage too, and tries a request with the token of the page', async () => {
  const { page } = opened;
  await page.goto(`${pageUrl}/docs`);
  await page.getByLabel('Search the operations').fill('usage of an RSE, by source');
  await page.keyboard.press('Enter');
  await page.getByLabel('rse').fill('SEEN_COPY');
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByText(/^200 OK/).waitFor();
  await page.getByText('"used": 2097152').waitFor();
});

it('asks nothing but the API below its stage, and breaks no policy', () => {
  expect(opened.faults).toEqual([]);
});
