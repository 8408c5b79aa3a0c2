import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';

import { projectRoot } from '../../infra/project-root.ts';
import { findOverflow, findViolations, looks } from './support/looks.ts';
import { type OpenPage, screens, settle } from './support/open-page.ts';
import { emptySite } from './support/site.ts';

const artefacts = join(projectRoot, 'coverage/browser');

const site = emptySite();
const { call, openLoggedIn } = site;

beforeAll(async () => {
  mkdirSync(artefacts, { recursive: true });
  await call('POST', '/scopes/root/example');
  await call('POST', '/rses/SITE_DISK', {});
});

/** Opens the reference from the page, where root is logged in. */
async function openReference(options = {}): Promise<OpenPage> {
  const opened = await openLoggedIn(options);
  await opened.page.goto(`${site.url}/docs/`);
  await opened.page.locator('#operations a').first().waitFor({ state: 'attached' });
  return opened;
}

/** Whether the middle of an element is on the screen, with nothing above it. */
function isInSight(element: Element): boolean {
  const { left, top, width, height } = element.getBoundingClientRect();
  return element.contains(document.elementFromPoint(left + width / 2, top + height / 2));
}

describe('the reference', () => {
  it('finds operations by words, members and errors, and opens the first with Enter', async () => {
    const { page, context, faults } = await openReference();
    const links = page.getByRole('navigation').getByRole('link');
    const all = await links.count();
    expect(all).toBeGreaterThan(200);
    await page.keyboard.press('/');
    await page.keyboard.type('why rule');
    await expect.poll(() => links.count()).toBeLessThan(10);
    expect(await links.first().innerText()).toMatch(/GET\s+Why a rule is not OK/);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Why a rule is not OK' }).waitFor();
    expect(await page.title()).toBe('GET /rules/{rule_id}/analysis · Dapple');
    await page.getByLabel('Search the operations').fill('InsufficientTargetRSEs');
    await expect.poll(() => links.count()).toBeLessThan(10);
    await page.getByRole('link', { name: /Create a rule for each DID/ }).waitFor();
    await page.getByLabel('Search the operations').fill('xyzzy');
    await page.getByText(`0 of ${all} operations`).waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });

  it.each([
    ['list rules', 'GET', '/rules'],
    ['create rule', 'POST', '/rules'],
    ['delete rule', 'DELETE', '/rules/{rule_id}'],
    ['list rses', 'GET', '/rses'],
    ['rses', 'GET', '/rses'],
    ['create dataset', 'POST', '/dids/{scope}/{name}'],
    ['files', 'GET', '/dids/{scope}/{name}/files'],
    ['log in', 'GET', '/auth/userpass'],
    ['metadata', 'GET', '/dids/{scope}/{name}/meta'],
    ['post /replicas', 'POST', '/replicas'],
  ])('answers “%s” with %s %s first, and shows the paths', async (words, method, path) => {
    const { page, context } = await openReference();
    await page.getByLabel('Search the operations').fill(words);
    const first = page.getByRole('navigation').getByRole('link').first();
    await expect.poll(() => first.locator('.name').innerText()).toBe(path);
    expect(await first.locator('.method').innerText()).toBe(method);
    await context.close();
  });

  it.each(['/docs', '/docs/'])('keeps the search when an operation is opened from %s', async (address) => {
    const { page, context } = await openReference();
    await page.goto(site.url + address);
    await page.getByLabel('Search the operations').fill('why rule');
    await page.getByRole('navigation').getByRole('link', { name: 'Why a rule is not OK' }).click();
    await page.getByRole('heading', { name: 'Why a rule is not OK' }).waitFor();
    expect(await page.getByLabel('Search the operations').inputValue()).toBe('why rule');
    expect(new URL(page.url()).pathname).toBe('/docs/');
    await context.close();
  });

  it('has an example of each body, and says what states mean', async () => {
    const { page, context } = await openReference();
    await page.goto(`${site.url}/docs/#/addRules`);
    const example = page.locator('h3', { hasText: 'An example of the body' }).locator('+ pre');
    expect(JSON.parse(await example.innerText())).toMatchObject({
      dids: [{ scope: 'example', name: 'data.358031.RAW' }],
      copies: 1,
      rse_expression: 'tier=1&rse_type=DISK',
    });
    await page.goto(`${site.url}/docs/#/getRule`);
    const state = page.locator('.schema-row', { has: page.locator('strong', { hasText: /^state$/ }) });
    await state.getByText('What the states mean').click();
    await page.getByText('It does nothing until somebody approves it.').waitFor();
    await page.goto(`${site.url}/docs/#/listReplicationRules`);
    const parameters = page.locator('.reference-sent .schema-row');
    await parameters.filter({ hasText: '"WAITING_APPROVAL"' }).getByText('What the states mean').waitFor();
    const type = parameters.filter({ has: page.locator('strong', { hasText: /^did_type$/ }) });
    await type.getByText('What the values mean').waitFor();
    expect(await type.innerText()).toContain('"CONTAINER"');
    await context.close();
  });

  it('has an example of each answer, with values as they may be', async () => {
    const { page, context } = await openReference();
    const readExample = async (id: string) => {
      await page.goto(`${site.url}/docs/#/${id}`);
      await page.locator('main code', { hasText: new RegExp(`^${id}$`) }).waitFor();
      return JSON.parse(await page.locator('h3', { hasText: 'An example of the answer' }).locator('+ pre').innerText());
    };
    expect(await readExample('listReplicationRules')).toMatchObject({
      id: expect.stringMatching(/^[0-9a-f]{32}$/),
      did_type: 'DATASET',
      state: 'OK',
      locks_ok_cnt: 12,
      created_at: 'Sat, 21 Nov 2026 12:21:38 UTC',
      error: null,
      stuck_at: null,
      locked: false,
    });
    expect(await readExample('addRules')).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/)]);
    await context.close();
  });

  it.each(looks)('has the form behind what is sent and before what is answered, on a $screen', async ({ screen }) => {
    const { page, context } = await openReference({ viewport: screens[screen] });
    await page.goto(`${site.url}/docs/#/addRules`);
    await page.getByRole('heading', { name: 'Create a rule for each DID, all or none', exact: true }).waitFor();
    const headings = await page.locator('main h2').allInnerTexts();
    expect(headings).toEqual(['Parameters', 'Body', 'Try it', 'Answer 201', 'Errors']);
    const places = await page
      .locator('main h2')
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top));
    if (screen === 'phone') expect(places).toEqual(places.toSorted((a, b) => a - b));
    else expect(places[2]).toBe(places[0]);
    await context.close();
  });

  it('tries a request with the token of the page, and shows the answer', async () => {
    const { page, context, faults } = await openReference();
    // A size that a number of JavaScript cannot hold.
    await page.goto(`${site.url}/docs/#/addDid`);
    await page.getByLabel('name').fill('raw.0001');
    await page
      .getByRole('textbox', { name: 'Body' })
      .fill(
        '{"type": "DATASET", "dids": [{"scope": "example", "name": "b.root", "bytes": 9007199254740993, "adler32": "0cc737eb"}], "rse": "SITE_DISK"}',
      );
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText(/^201 Created, after \d+ ms/).waitFor();
    await page.goto(`${site.url}/docs/#/getDid`);
    await page.getByLabel('name').fill('b.root');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('"bytes": 9007199254740993').waitFor();
    expect(await page.locator('.command code').innerText()).toBe(
      `curl -H "X-Rucio-Auth-Token: $TOKEN" ${site.url}/dids/example/b.root`,
    );
    expect(faults).toEqual([]);
    await context.close();
  });

  it.each(looks)(
    'has Send above the optional fields on a $screen, and brings the answer in sight',
    async ({ screen }) => {
      const { page, context } = await openReference({ viewport: screens[screen] });
      await page.goto(`${site.url}/docs/#/listReplicationRules`);
      const form = page.locator('form.form');
      const optional = form.locator('details.optional');
      expect(await optional.locator('summary').innerText()).toMatch(/^Optional fields \(\d\d\)$/);
      const send = page.getByRole('button', { name: 'Send' });
      if (screen === 'desktop') expect(await send.evaluate(isInSight)).toBe(true);
      await optional.locator('summary').click();
      await optional.getByLabel(/^account in/).fill('root');
      await expect.poll(() => form.locator('.command code').innerText()).toContain('account=root');
      await send.click();
      const answer = page.getByText(/^200 OK, after \d+ ms/);
      await answer.waitFor();
      await expect.poll(() => answer.evaluate(isInSight)).toBe(true);
      await context.close();
    },
  );

  it('shows JSON lines indented, unbroken and in sight', async () => {
    const { page, context } = await openReference();
    await page.goto(`${site.url}/docs/#/listRses`);
    await page.getByRole('button', { name: 'Send' }).click();
    const body = page.getByRole('group', { name: 'Body of the answer' });
    await expect.poll(() => body.innerText()).toMatch(/^\{\n {2}"\w+": /);
    expect(await body.evaluate((pre) => getComputedStyle(pre).whiteSpace)).toBe('pre');
    const overhang = (pre: Element) =>
      pre.getBoundingClientRect().right - (pre.closest('.section')?.getBoundingClientRect().right ?? 0);
    expect(await body.evaluate(overhang)).toBeLessThan(0);
    const status = page.getByText(/^200 OK, after \d+ ms/);
    await expect.poll(() => status.evaluate(isInSight)).toBe(true);
    expect(await body.evaluate(isInSight)).toBe(true);
    expect(await findViolations(page)).toEqual([]);
    await context.close();
  });

  it('tells operations with the same title apart, without a search', async () => {
    const { page, context } = await openReference();
    const texts = await page.getByRole('navigation').getByRole('link').allInnerTexts();
    expect(texts.filter((text, i) => texts.indexOf(text) !== i)).toEqual([]);
    await context.close();
  });

  it('shows a refusal, asks for a log-in, and is then the session of the page', async () => {
    const { page, context } = await site.open();
    await page.goto(`${site.url}/docs/#/getAccount`);
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText(/^401 .* Log in first\./).waitFor();
    await page.getByRole('button', { name: 'Log in', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Log in as root' }).click();
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText(/^200 OK/).waitFor();
    await page.getByRole('link', { name: 'Dapple' }).click();
    await page.getByRole('button', { name: 'Log out' }).waitFor();
    await context.close();
  });

  it('stops an answer that does not end', async () => {
    const { page, context } = await openReference();
    await page.goto(`${site.url}/docs/#/followEvents`);
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('still arriving').waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByText('Stopped.').waitFor();
    await context.close();
  });
});

const operations = ['', 'addRules', 'getRule', 'searchDids', 'addReplicas', 'followEvents', 'logIn', 'none'];

describe.each(looks)('on a $screen, $colorScheme', ({ colorScheme, screen }) => {
  it.each(operations)('the reference of “%s” is accessible and fits the screen', async (id) => {
    const { page, context, faults } = await openReference({ colorScheme, viewport: screens[screen] });
    await page.goto(`${site.url}/docs/#/${id}`);
    if (id !== '') await page.locator('main code', { hasText: new RegExp(`^${id}$`) }).waitFor();
    await settle(page);
    await page.screenshot({ path: join(artefacts, `reference-${id}-${screen}-${colorScheme}.png`) });
    expect(await findViolations(page)).toEqual([]);
    expect(await findOverflow(page), 'pixels beyond the screen').toBe(0);
    expect(faults).toEqual([]);
    await context.close();
  });
});
