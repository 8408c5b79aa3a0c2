import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { LocalServer } from '../../infra/local/server.ts';
import { projectRoot } from '../../infra/project-root.ts';
import { logIn, openBrowser, openPage, type OpenPage, screens, settle, visit } from './support/open-page.ts';
import { addMore, type Call, hostileDid, hostileTexts, logInAt, startCatalogue } from './support/seeded-server.ts';

const artefacts = join(projectRoot, 'coverage/browser');
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

let browser: Browser;
let server: LocalServer;
let call: Call;

beforeAll(async () => {
  mkdirSync(artefacts, { recursive: true });
  browser = await openBrowser();
  server = await startCatalogue();
  call = await logInAt(server);
});

afterAll(async () => {
  await browser?.close();
  await server?.close();
});

/** A page where root is logged in. */
async function openLoggedIn(options = {}): Promise<OpenPage> {
  const opened = await openPage(browser, server.url, options);
  await logIn(opened.page);
  return opened;
}

async function stuckRule(): Promise<string> {
  const text = await (await call('GET', '/rules/?state=STUCK&limit=1')).text();
  return (JSON.parse(text) as { id: string }).id;
}

describe('the first minute', () => {
  it('goes from an empty catalogue over example data to a dataset, with the log-in filled in', async () => {
    const { page, context, faults } = await openLoggedIn();
    await page.getByText('This catalogue is empty.').waitFor();
    expect(await page.getByText(`rucio_host = ${server.url}`).count()).toBe(1);
    await page.screenshot({ path: join(artefacts, 'first-minute.png') });
    await page.getByRole('button', { name: 'Make example data' }).click();
    await page.getByRole('link', { name: 'beam26' }).click();
    await page.getByRole('link', { name: 'beam26:data.358031.RAW' }).click();
    await page.getByRole('heading', { name: 'beam26:data.358031.RAW' }).waitFor();
    await expect.poll(() => page.title()).toBe('beam26:data.358031.RAW · Dapple');
    expect(faults).toEqual([]);
    await context.close();
    await addMore(call);
  });
});

describe('a search', () => {
  it('finds a dataset by its metadata, says what it reads, and can be passed on', async () => {
    const { page, context } = await openLoggedIn();
    await page.getByLabel('Scope and name').fill('beam26:data');
    await page.getByRole('button', { name: '+ Metadata, size or date' }).click();
    await page.getByLabel('Key of condition 1').fill('run_number');
    await page.getByLabel('Value of condition 1').fill('358033');
    await expect.poll(() => page.getByRole('row').count()).toBe(3);
    expect(await page.getByRole('row').allInnerTexts()).toEqual([
      expect.stringContaining('Name'),
      expect.stringContaining('data.358033.AOD'),
      expect.stringContaining('data.358033.RAW'),
    ]);
    await page.getByRole('button', { name: 'What does it read?' }).click();
    await page.getByText(/2 rows for [\d.]+ read units? in \d requests?, from the index of run_number/).waitFor();
    const { page: passedOn } = await openLoggedIn();
    await passedOn.goto(page.url());
    await expect.poll(() => passedOn.getByRole('row').count()).toBe(3);
    await context.close();
  });

  it('shows the commands that do the same', async () => {
    const { page, context } = await openLoggedIn();
    await visit(page, '#/search?q=beam26:data&f=run_number%3D358033');
    await page.getByText('The same in a terminal').click();
    const commands = await page.locator('.command code').allInnerTexts();
    expect(commands[0]).toBe("rucio did list 'beam26:data*' --filter run_number=358033");
    expect(commands[1]).toMatch(
      /^curl -H "X-Rucio-Auth-Token: \$TOKEN" '.*\/dids\/beam26\/dids\/search\?.*run_number=358033/,
    );
    await context.close();
  });

  it('works with the keyboard alone', async () => {
    const { page, context } = await openLoggedIn();
    await page.keyboard.press('/');
    await page.keyboard.type('beam26:data.RAW');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'beam26:data.RAW' }).waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('H1');
    await context.close();
  });
});

describe('a DID', () => {
  it('opens its content level by level', async () => {
    const { page, context } = await openLoggedIn();
    await visit(page, '#/did/beam26/spring');
    await page.getByRole('button', { name: 'Content of data.RAW' }).click();
    await page.getByRole('button', { name: 'Content of data.358032.RAW' }).click();
    await page.getByRole('link', { name: 'data.358032.RAW/part-0001.root' }).waitFor();
    await context.close();
  });

  it('shows where its files are, with their states', async () => {
    const { page, context } = await openLoggedIn();
    await visit(page, '#/did/beam26/data.358034.AOD?tab=replicas');
    const row = page.getByRole('row', { name: /part-0029/ });
    expect(await row.innerText()).toMatch(/bad[\s\S]*unavailable/);
    await context.close();
  });

  it('changes metadata', async () => {
    const { page, context } = await openLoggedIn();
    await visit(page, '#/did/beam26/data.358032.AOD?tab=metadata');
    await page.getByRole('button', { name: 'Change campaign' }).click();
    await page.getByLabel('Value of campaign').fill('beam26-autumn');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('beam26-autumn').waitFor();
    await context.close();
  });

  it('shows events as they happen', async () => {
    const { page, context } = await openLoggedIn();
    await visit(page, '#/did/beam26/data.358033.AOD?tab=events');
    await page.locator('.state', { hasText: 'live' }).waitFor();
    await call('PUT', '/dids/beam26/data.358033.AOD/status', { open: false });
    await page.getByText('CLOSE').waitFor();
    await context.close();
  });

  it.each(Object.entries(hostileTexts))('shows %s as text, never as markup', async (key, text) => {
    const { page, context, faults } = await openLoggedIn();
    await visit(page, `#/did/${hostileDid.scope}/${encodeURIComponent(hostileDid.name)}?tab=metadata`);
    expect(await page.locator('h1').textContent()).toBe(`${hostileDid.scope}:${hostileDid.name}`);
    const row = page.locator('tr', { has: page.locator('th', { hasText: new RegExp(`^${key}$`) }) });
    expect(await row.locator('td bdi').textContent()).toBe(text);
    await expect.poll(() => page.title()).toBe(`${hostileDid.scope}:${hostileDid.name} · Dapple`);
    expect(await overflow(page)).toBe(0);
    expect(faults).toEqual([]);
    await context.close();
  });
});

describe('a rule', () => {
  it('that is stuck says why, file by file', async () => {
    const { page, context } = await openLoggedIn();
    await visit(page, '#/rules?state=STUCK');
    await page.getByRole('link', { name: (await stuckRule()).slice(0, 8) }).click();
    await page.getByText('Why it is stuck.').waitFor();
    await page.getByText('SOURCE CHECKSUM MISMATCH').waitFor();
    await page.getByText('no RSE has a good replica of it').first().waitFor();
    await context.close();
  });

  it('is made after its meaning was shown, and deleted after a question', async () => {
    const { page, context } = await openLoggedIn();
    await visit(page, '#/did/beam26/data.358031.RAW');
    await page.getByRole('link', { name: 'Add a rule' }).click();
    await page.getByLabel('RSE expression').fill('tier=1&rse_type=DISK');
    await page.getByText(/It means 1 RSE now; 1 copy needs up to/).waitFor();
    await page.getByText(/left of 5.00 TB/).waitFor();
    await page.getByRole('button', { name: 'Create the rule' }).click();
    await page.getByRole('heading', { name: /^Rule [0-9a-f]{8}/ }).waitFor();
    await page.getByText(/still have to be copied/).waitFor();
    await page.getByLabel('Priority, 1 to 5').fill('5');
    await page.getByRole('button', { name: 'Set the priority' }).click();
    await page.getByText('Priority 5.').waitFor();
    await page.getByRole('button', { name: 'Delete the rule' }).click();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('It ends within the hour.').waitFor();
    await context.close();
  });

  it('that cannot be made says so in the words of Rucio, and keeps the form', async () => {
    const { page, context } = await openLoggedIn();
    await visit(page, '#/new-rule?did=beam26:data.AOD&rses=CERN_DISK');
    await page.getByLabel('Copies').fill('3');
    await page.getByRole('button', { name: 'Create the rule' }).click();
    await page.getByRole('alert').getByText('InsufficientTargetRSEs').waitFor();
    expect(await page.getByLabel('RSE expression').inputValue()).toBe('CERN_DISK');
    await context.close();
  });

  it('follows the files that arrive, without a reload', async () => {
    const { page, context } = await openLoggedIn();
    const list = await (await call('GET', '/dids/beam26/data.358031.AOD/rules')).text();
    const { id } = JSON.parse(list.split('\n')[0] ?? '') as { id: string };
    await visit(page, `#/rule/${id}`);
    await page.getByText('11 of 18 files there').waitFor();
    const file = { scope: 'beam26', name: 'data.358031.AOD/part-0012.root', state: 'A' };
    await call('PUT', '/replicas', { rse: 'LYON_DISK', files: [file] });
    await page.getByText('12 of 18 files there').waitFor();
    await context.close();
  });
});

describe('a session', () => {
  it('that ends in the middle is asked for in place, and what was begun goes on', async () => {
    const { page, context } = await openLoggedIn();
    await visit(page, '#/rses');
    await page.evaluate(() => {
      const stored = JSON.parse(sessionStorage.getItem('dapple-session') ?? '{}') as object;
      sessionStorage.setItem('dapple-session', JSON.stringify({ ...stored, token: 'expired' }));
    });
    await page.reload();
    await page.getByRole('heading', { name: 'Your session has ended' }).waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Log in as root' }).click();
    await page.getByRole('link', { name: 'CERN_DISK' }).waitFor();
    await context.close();
  });

  it('is shared by the tabs of a browser, and a reload keeps it', async () => {
    const { page, context } = await openLoggedIn();
    const other = await context.newPage();
    await other.goto(`${server.url}/ui/#/rses`);
    await other.getByRole('link', { name: 'CERN_DISK' }).waitFor();
    await other.reload();
    await other.getByRole('link', { name: 'CERN_DISK' }).waitFor();
    await page.getByRole('button', { name: 'Log out' }).click();
    await other.getByRole('button', { name: 'Log in as root' }).waitFor();
    await context.close();
  });

  it('with a wrong password is refused in words', async () => {
    const { page, context } = await openPage(browser, server.url);
    await page.getByRole('button', { name: 'Log in as root' }).waitFor();
    await page.getByLabel('Password').fill('wrong');
    await page.getByRole('button', { name: 'Log in as root' }).click();
    await page.getByRole('alert').getByText('CannotAuthenticate').waitFor();
    await context.close();
  });

  it('that is not on the same machine has to type everything', async () => {
    const { page, context } = await openPage(browser, server.url.replace('localhost', '127.0.0.1'), {
      extraHTTPHeaders: { 'X-Forwarded-Host': 'catalogue.example.org' },
    });
    await page.getByRole('button', { name: 'Log in' }).waitFor();
    expect(await page.getByLabel('Password').inputValue()).toBe('');
    await context.close();
  });
});

describe('the way back', () => {
  it('back, forward and reload show the same places again', async () => {
    const { page, context } = await openLoggedIn();
    await visit(page, '#/rses');
    await page.getByRole('link', { name: 'CERN_DISK' }).click();
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('heading', { name: 'Protocols' }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'Usage' }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'RSEs', exact: true }).waitFor();
    await page.goForward();
    await page.goForward();
    await page.reload();
    await page.getByRole('heading', { name: 'Protocols' }).waitFor();
    await context.close();
  });

  it('a server that was gone is used again when it is back', async () => {
    const { page, context } = await openLoggedIn();
    await visit(page, '#/rses');
    await page.route(/\/(rules|rses)\//, (route) => route.abort());
    await page.getByRole('link', { name: 'Rules' }).click();
    await page.getByText('The server does not answer. This page goes on').waitFor();
    await page.unroute(/\/(rules|rses)\//);
    await page.getByRole('link', { name: 'RSEs' }).click();
    await page.getByRole('link', { name: 'CERN_DISK' }).waitFor();
    expect(await page.getByText('The server does not answer. This page goes on').count()).toBe(0);
    await context.close();
  });
});

const places: readonly (readonly [name: string, place: string | (() => Promise<string>)])[] = [
  ['search', '#/search'],
  ['results', '#/search?q=beam26:data&f=run_number%3D358031'],
  ['tree', '#/did/beam26/spring'],
  ['dataset', '#/did/beam26/data.358034.AOD'],
  ['replicas', '#/did/beam26/data.358034.AOD?tab=replicas'],
  ['rules of a DID', '#/did/beam26/data.358034.AOD?tab=rules'],
  ['metadata', '#/did/beam26/data.358034.AOD?tab=metadata'],
  ['parents', '#/did/beam26/data.358034.AOD?tab=parents'],
  ['history', '#/did/beam26/data.358034.AOD?tab=history'],
  ['file', '#/did/beam26/data.358034.AOD%2Fpart-0001.root'],
  ['hostile', `#/did/${hostileDid.scope}/${encodeURIComponent(hostileDid.name)}?tab=metadata`],
  ['unknown DID', '#/did/beam26/none'],
  ['rules', '#/rules'],
  ['rule', async () => `#/rule/${await stuckRule()}`],
  ['new rule', '#/new-rule?did=beam26:data.AOD&rses=tier%3D1'],
  ['RSEs', '#/rses'],
  ['RSE', '#/rse/CERN_DISK'],
  ['content of an RSE', '#/rse/CERN_DISK?tab=content'],
  ['settings of an RSE', '#/rse/CERN_DISK?tab=settings'],
  ['distances', '#/rse/CERN_DISK?tab=distances'],
  ['subscriptions', '#/subscriptions'],
  ['subscription', '#/subscription/root/second-copies'],
  ['accounts', '#/accounts'],
  ['account', '#/account/root'],
  ['requests', '#/requests'],
  ['bad replicas', '#/bad'],
  ['events', '#/events'],
  ['configuration', '#/configuration'],
  ['operations', '#/operations'],
  ['no such page', '#/nothing'],
];

/** A half of the looks shows what both halves would; `LOOKS=all` tests each. */
const allLooks = [
  { colorScheme: 'light', screen: 'desktop' },
  { colorScheme: 'dark', screen: 'phone' },
  { colorScheme: 'dark', screen: 'desktop' },
  { colorScheme: 'light', screen: 'phone' },
] as const;
const looks = process.env['LOOKS'] === 'all' ? allLooks : allLooks.slice(0, 2);

describe.each(looks)('on a $screen, $colorScheme', ({ colorScheme, screen }) => {
  let opened: OpenPage;
  beforeAll(async () => {
    opened = await openLoggedIn({ colorScheme, viewport: screens[screen] });
  });
  afterAll(() => opened?.context.close());

  it('the log-in is accessible', async () => {
    const { page, context } = await openPage(browser, server.url, { colorScheme, viewport: screens[screen] });
    await page.getByRole('button', { name: 'Log in as root' }).waitFor();
    expect(await findViolations(page)).toEqual([]);
    await context.close();
  });

  it.each(places)('%s is accessible, fits the screen, and breaks no policy', async (name, place) => {
    const { page, faults } = opened;
    await visit(page, typeof place === 'string' ? place : await place());
    await page.screenshot({ path: join(artefacts, `${name.replaceAll(' ', '-')}-${screen}-${colorScheme}.png`) });
    expect(await findViolations(page)).toEqual([]);
    expect(await overflow(page), 'pixels beyond the screen').toBe(0);
    expect(faults).toEqual([]);
  });
});

/** The rules of WCAG 2.2 AA, and axe's own, that the page breaks. */
async function findViolations(page: Page): Promise<string[]> {
  await settle(page);
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe);
  return page.evaluate(async () => {
    const { axe: tool } = window as unknown as {
      axe: { run(): Promise<{ violations: { id: string; nodes: { html: string; failureSummary: string }[] }[] }> };
    };
    const { violations } = await tool.run();
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
    );
  });
}

function overflow(page: Page): Promise<number> {
  return page.evaluate(() => Math.max(0, document.documentElement.scrollWidth - innerWidth));
}
