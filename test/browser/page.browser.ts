import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';

import { projectRoot } from '../../infra/project-root.ts';
import { findOverflow, findViolations } from './support/looks.ts';
import { settle, visit } from './support/open-page.ts';
import { addMore, copyError, findRule, hostileDid, hostileTexts } from './support/seeded-server.ts';
import { emptySite } from './support/site.ts';

const artefacts = join(projectRoot, 'coverage/browser');

const site = emptySite();
const { call, openLoggedIn } = site;

beforeAll(() => void mkdirSync(artefacts, { recursive: true }));

describe('the first minute', () => {
  it('goes from an empty catalogue over example data to a dataset, with the log-in filled in', async () => {
    const { page, context, faults } = await openLoggedIn();
    await page.getByText('This catalogue is empty.').waitFor();
    expect(await page.getByText(`rucio_host = ${site.url}`).count()).toBe(1);
    await page.screenshot({ path: join(artefacts, 'getting-started.png') });
    await page.getByRole('button', { name: 'Make example data' }).click();
    const made = page.getByRole('status').filter({ hasText: 'The example data are there.' });
    await made.waitFor();
    expect(await made.getByRole('link').allInnerTexts()).toEqual([
      'raw data of run 358031',
      'the rule that is stuck',
      'what is being copied',
    ]);
    await made.getByRole('link', { name: 'the rule that is stuck' }).click();
    await expect.poll(() => page.getByRole('row').count()).toBe(2);
    await page.goBack();
    await page.getByRole('link', { name: 'example', exact: true }).click();
    await page.getByRole('link', { name: 'example:data.358031.RAW' }).click();
    await page.getByRole('heading', { name: 'example:data.358031.RAW' }).waitFor();
    await expect.poll(() => page.title()).toBe('example:data.358031.RAW · Dapple');
    expect(faults).toEqual([]);
    await context.close();
    // The tour of README.md begins with a scope, which must not be there yet.
    const [, scope] = /\$URL\/scopes\/root\/(\w+)/.exec(readFileSync(join(projectRoot, 'README.md'), 'utf8')) ?? [];
    expect(await (await call('GET', '/scopes/')).json()).toEqual(['example']);
    expect(scope).not.toBe('example');
    await addMore(call);
  });
});

describe('a search', () => {
  it('finds a dataset by its metadata, says what it reads, and can be passed on', async () => {
    const { page, context } = await openLoggedIn();
    await visit(page, '#/search');
    await page.getByLabel('Scope and name').fill('example:data');
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
    await visit(page, '#/search?q=example:data&f=run_number%3D358033');
    await page.getByRole('button', { name: 'The same in a terminal' }).click();
    const commands = await page.locator('.command code').allInnerTexts();
    expect(commands[0]).toBe("rucio did list 'example:data*' --filter run_number=358033");
    expect(commands[1]).toMatch(
      /^curl -H "X-Rucio-Auth-Token: \$TOKEN" '.*\/dids\/example\/dids\/search\?.*run_number=358033/,
    );
    await page.keyboard.press('Escape');
    expect(await page.locator('.command').first().isVisible()).toBe(false);
    await context.close();
  });

  it('has one menu with the commands of all its parts, which goes along', async () => {
    const { page, context, faults } = await openLoggedIn();
    await visit(page, '#/did/example/data.358034.AOD?tab=replicas');
    const button = page.getByRole('button', { name: 'The same in a terminal' });
    await button.click();
    const labels = page.getByRole('group', { name: 'This page in a terminal' }).locator('strong');
    expect(await labels.allInnerTexts()).toEqual(expect.arrayContaining(['By RSE', 'File by file', 'This DID']));
    expect(await findViolations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await visit(page, '#/rules');
    await button.click();
    await expect.poll(() => labels.allInnerTexts()).toEqual(['Rules']);
    expect(faults).toEqual([]);
    await context.close();
  });

  it('works with the keyboard alone', async () => {
    const { page, context } = await openLoggedIn();
    await page.keyboard.press('/');
    await page.keyboard.type('example:data.RAW');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'example:data.RAW' }).waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('H1');
    await context.close();
  });
});

describe('a list', () => {
  it('says when it was read and that it has changed since, and is read again on demand', async () => {
    const { page, context, faults } = await openLoggedIn();
    await visit(page, '#/accounts');
    await page.getByText(/as of (now|\d+ seconds ago)/).waitFor();
    const look = () => page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    const note = page.getByText('This list has changed.');
    await look();
    await settle(page);
    expect(await note.count()).toBe(0);
    await call('POST', '/accounts/carol', { type: 'USER', email: 'carol@example.org' });
    await look();
    await note.waitFor();
    const again = page.getByRole('button', { name: 'Read again' });
    await again.click();
    await page.getByRole('link', { name: 'carol' }).waitFor();
    expect(await note.count()).toBe(0);
    await expect.poll(() => again.evaluate((button) => document.activeElement === button)).toBe(true);
    expect(await findViolations(page)).toEqual([]);
    expect(faults).toEqual([]);
    await context.close();
  });
});

describe('a DID', () => {
  it('opens its content level by level', async () => {
    const { page, context } = await openLoggedIn();
    await visit(page, '#/did/example/spring');
    await page.getByRole('button', { name: 'Content of data.RAW' }).click();
    await page.getByRole('button', { name: 'Content of data.358032.RAW' }).click();
    await page.getByRole('link', { name: 'data.358032.RAW/part-0001.root' }).waitFor();
    await context.close();
  });

  it('shows where its files are, with their states', async () => {
    const { page, context } = await openLoggedIn();
    await visit(page, '#/did/example/data.358034.AOD?tab=replicas');
    const row = page.getByRole('row', { name: /part-0029/ });
    expect(await row.innerText()).toMatch(/bad[\s\S]*unavailable/);
    await context.close();
  });

  it('says at a glance how many files each copy has, and where its rule is stuck', async () => {
    const { page, context } = await openLoggedIn();
    await visit(page, '#/did/example/data.358034.AOD');
    const copies = page.locator('.kept li');
    await copies.getByText('26 of 30').waitFor();
    await copies.getByText('stuck').waitFor();
    await page.getByRole('link', { name: /^1.*stuck$/ }).click();
    await page.getByRole('heading', { name: 'Rules on this DID' }).waitFor();
    await visit(page, '#/did/example/spring');
    await page.getByRole('listitem').filter({ hasText: 'data.AOD' }).getByText('96 files').waitFor();
    await context.close();
  });

  it('has the rules of its parents, which keep its files too', async () => {
    const { page, context } = await openLoggedIn();
    await visit(page, '#/did/example/data.358032.RAW?tab=rules');
    const inherited = page.getByRole('table', { name: 'Rules of the parents of this DID' });
    await inherited.getByRole('link', { name: 'example:data.RAW' }).first().waitFor();
    await context.close();
  });

  it('changes metadata', async () => {
    const { page, context } = await openLoggedIn();
    await visit(page, '#/did/example/data.358032.AOD?tab=metadata');
    await page.getByRole('button', { name: 'Change campaign' }).click();
    await page.getByLabel('Value of campaign').fill('beam26-autumn');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('beam26-autumn').waitFor();
    await context.close();
  });

  it('shows events as they happen', async () => {
    const { page, context } = await openLoggedIn();
    await visit(page, '#/did/example/data.358033.AOD?tab=activity');
    await page.locator('.state', { hasText: 'live' }).waitFor();
    await call('PUT', '/dids/example/data.358033.AOD/status', { open: false });
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
    expect(await findOverflow(page)).toBe(0);
    expect(faults).toEqual([]);
    await context.close();
  });
});

describe('a rule', () => {
  it('that is stuck says why, file by file', async () => {
    const { page, context } = await openLoggedIn();
    await visit(page, '#/rules?state=STUCK');
    await page.getByRole('link', { name: (await findRule(call, 'STUCK')).slice(0, 8) }).click();
    await page.getByText('Why it is stuck.').waitFor();
    await page.getByText('SOURCE CHECKSUM MISMATCH: the file at CERN_DISK is damaged').waitFor();
    await page.getByText('no RSE has a good replica of it').first().waitFor();
    await page
      .getByText(/1 failed attempt, the last/)
      .first()
      .waitFor();
    await context.close();
  });

  it('shows the files that are missing as the empty track of its bar', async () => {
    const { page, context } = await openLoggedIn();
    await visit(page, '#/rules?state=REPLICATING');
    const parts = page.getByRole('img', { name: '11 of 18 files there' }).locator('.bar-part');
    const widths = await parts.evaluateAll((rects) => rects.map((rect) => Number(rect.getAttribute('width'))));
    expect(widths).toEqual([expect.closeTo(61.1, 1), 0]);
    await context.close();
  });

  it('is made after its meaning was shown, and deleted after a question', async () => {
    const { page, context } = await openLoggedIn();
    await visit(page, '#/did/example/data.358031.RAW');
    await page.getByRole('link', { name: 'Add a rule' }).click();
    await page.getByLabel('RSE expression').fill('tier=1&rse_type=DISK');
    await page.getByText(/1 copy is 30\.\d GB, all of which would be copied/).waitFor();
    await page.getByText(/left of 5.00 TB/).waitFor();
    await page.getByRole('button', { name: 'Create the rule' }).click();
    await page.getByRole('heading', { name: /^Rule [0-9a-f]{8}/ }).waitFor();
    await page.getByText(/still have to be copied/).waitFor();
    await page.getByLabel('Priority, 1 to 5').fill('5');
    await page.getByRole('button', { name: 'Set the priority' }).click();
    await page.getByText('Priority 5.').waitFor();
    await page.getByRole('button', { name: 'Delete the rule' }).click();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText(/^The rule ends in (59 minutes|1 hour)$/).waitFor();
    await context.close();
  });

  it('that cannot be made says so in the words of Rucio, and keeps the form', async () => {
    const { page, context } = await openLoggedIn();
    await visit(page, '#/new-rule?did=example:data.AOD&rses=CERN_DISK');
    await page.getByLabel('Account').fill('jdoe');
    await page.getByRole('button', { name: 'Create the rule' }).click();
    await page.getByRole('alert').getByText('The account has no quota, or not enough, on these RSEs.').waitFor();
    expect(await page.getByLabel('RSE expression').inputValue()).toBe('CERN_DISK');
    await context.close();
  });

  it('follows the files that arrive, without a reload', async () => {
    const { page, context } = await openLoggedIn();
    const list = await (await call('GET', '/dids/example/data.358031.AOD/rules')).text();
    const { id } = JSON.parse(list.split('\n')[0] ?? '') as { id: string };
    await visit(page, `#/rule/${id}`);
    await page.getByText('11 of 18 files there').waitFor();
    const file = { scope: 'example', name: 'data.358031.AOD/part-0012.root', state: 'A' };
    await call('PUT', '/replicas', { rse: 'LYON_DISK', files: [file] });
    await page.getByText('12 of 18 files there').waitFor();
    await context.close();
  });
});

describe('transfers', () => {
  it('show how often they failed and why, and who has taken them', async () => {
    const { page, context, faults } = await openLoggedIn();
    await visit(page, '#/requests?dst=LYON_TAPE');
    const failed = page.getByRole('row', { name: /1 failed attempt/ });
    expect(await failed.locator('bdi.name').allInnerTexts()).toContain(copyError);
    await page.getByText('Taken by mover-7').waitFor();
    await page.getByLabel('State').selectOption('Taken by a mover');
    await expect.poll(() => page.getByRole('row').count()).toBe(2);
    expect(faults).toEqual([]);
    await context.close();
  });

  it('add up by link and by rule', async () => {
    const { page, context } = await openLoggedIn();
    await visit(page, '#/requests?tab=totals');
    const links = page.getByRole('table', { name: 'Transfers by link' });
    await links.getByRole('row', { name: /CERN_DISK → LYON_TAPE/ }).waitFor();
    await page.getByRole('table', { name: 'Transfers by rule' }).getByRole('row').nth(1).waitFor();
    await context.close();
  });

  it('that are over are in the history, with the filters of the list', async () => {
    const { page, context } = await openLoggedIn();
    await visit(page, '#/requests?dst=LYON_TAPE');
    await page.getByRole('link', { name: 'History' }).click();
    await expect.poll(() => page.getByRole('row').count()).toBe(3);
    await page.getByLabel('State').selectOption('Failed');
    await expect.poll(() => page.getByRole('row').count()).toBe(2);
    expect(await page.getByRole('row').last().innerText()).toContain('globus_ftp');
    await page.getByRole('link', { name: 'Limits' }).click();
    await page.getByRole('row', { name: /LYON_TAPE.*50/ }).waitFor();
    await context.close();
  });
});

describe('the operation of the service', () => {
  it('names the programs that have sent a heartbeat', async () => {
    const { page, context } = await openLoggedIn();
    await visit(page, '#/operations');
    await page.getByText(/mover on node7\.example\.org, process 7, alive/).waitFor();
    await context.close();
  });
});
