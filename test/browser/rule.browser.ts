import { exec } from 'node:child_process';
import { promisify } from 'node:util';

import { describe, expect, it } from 'vitest';

import { findViolations } from './support/looks.ts';
import { settle, visit } from './support/open-page.ts';
import { findRule } from './support/seeded-server.ts';
import { exampleSite } from './support/site.ts';

const notWritable = 'RSE excluded; not available for writing.';

const runInShell = promisify(exec);

const site = exampleSite();
const { call, openAt, openLoggedIn } = site;

/** The id of a rule that has become stuck, since its account has no quota left for what was attached. */
async function makeUnplaceable(): Promise<string> {
  await call('POST', '/accounts/poor', { type: 'USER', email: 'poor@example.org' });
  await call('POST', '/accounts/poor/limits/local/CERN_DISK', { bytes: 1 });
  await call('POST', '/dids/example/unpaid', { type: 'DATASET' });
  const rule = {
    dids: [{ scope: 'example', name: 'unpaid' }],
    account: 'poor',
    copies: 1,
    rse_expression: 'CERN_DISK',
  };
  const [id = ''] = (await (await call('POST', '/rules/', rule)).json()) as string[];
  const dids = [{ scope: 'example', name: 'data.358031.RAW/part-0001.root' }];
  await call('POST', '/dids/example/unpaid/dids', { dids });
  await expect
    .poll(async () => ((await (await call('GET', `/rules/${id}`)).json()) as { state: string }).state)
    .toBe('STUCK');
  return id;
}

describe('the repair of a stuck rule', () => {
  it('needs what the page says before: what helps files without a replica, and which attempts failed', async () => {
    const { page, context, faults } = await openAt(`#/rule/${await findRule(call, 'STUCK')}`);
    await page.getByText('Files without a good replica cannot be copied').waitFor();
    await page.getByText('How to recover, register or detach them').click();
    const command = page.locator('.command code', { hasText: '/replicas' });
    const damagedFiles = ['0029', '0030'].map((part) => ({
      scope: 'example',
      name: `data.358034.AOD/part-${part}.root`,
      state: 'A',
    }));
    expect(await command.innerText()).toContain(JSON.stringify({ rse: 'CERN_DISK', files: damagedFiles }));
    await page
      .getByText('rucio did content remove')
      .filter({ hasText: /part-0029.root example:.*part-0030/ })
      .waitFor();
    for (const [link, label] of [
      ['Detach them', 'DIDs, one a line'],
      ['Declare them available', 'Files, one a line'],
    ] as const) {
      await page.getByRole('link', { name: link }).click();
      await expect
        .poll(() => page.getByLabel(label).inputValue())
        .toBe(damagedFiles.map(({ name }) => `example:${name}`).join('\n'));
      await page.goBack();
      await page.getByText('How to recover, register or detach them').click();
    }
    // The text begins inside of its block.
    expect(await command.evaluate((code) => getComputedStyle(code).textIndent)).toBe('0px');
    const files = page.getByRole('table', { name: 'The files of the rule' }).locator('.state');
    expect((await files.allInnerTexts()).slice(0, 5).map((state) => state.replace(/^\W+/, ''))).toEqual([
      'stuck',
      'stuck',
      'replicating',
      'replicating',
      'ok',
    ]);
    expect(await findViolations(page)).toEqual([]);
    await page.getByRole('link', { name: 'Failed attempts to LYON_DISK' }).first().click();
    await page.getByRole('row', { name: /part-0029/ }).waitFor();
    const rows = page.locator('tbody').getByRole('row');
    expect(await rows.count()).toBe(2);
    expect(await rows.first().innerText()).toMatch(/failed[\s\S]*not told/);
    expect(faults).toEqual([]);
    await context.close();
  });

  it('that cannot succeed says that nothing has changed, and the reason stays', async () => {
    const id = await findRule(call, 'STUCK');
    await call('PUT', '/rses/LYON_DISK', { availability_write: false });
    const { page, context } = await openAt(`#/rule/${id}`);
    await page.getByRole('button', { name: 'Repair now' }).click();
    await page.getByText('The repair has changed nothing: 2 copies are still stuck, for the reason below.').waitFor();
    await page.getByText('Why it is stuck.').waitFor();
    await page.getByText(notWritable, { exact: true }).first().waitFor();
    await call('PUT', '/rses/LYON_DISK', { availability_write: true });
    await context.close();
  });

  it('of files that nothing can copy says so; once they are recovered, the rule goes on by itself', async () => {
    const { page, context, faults } = await openAt(`#/rule/${await findRule(call, 'STUCK')}`);
    await page.getByRole('button', { name: 'Repair now' }).click();
    await page.getByText('The repair has changed nothing: 2 copies are still stuck, for the reason below.').waitFor();
    const why = page.locator('.note[data-tone=bad]', { hasText: 'Some files have no good replica anywhere' });
    await why.waitFor();
    expect(await page.locator('.note[data-tone=good]').count()).toBe(0);
    await page.reload();
    const badge = page.getByTitle('of your rules are stuck');
    await visit(page, '#/home');
    await badge.waitFor();
    await page.goBack();
    await why.getByText('How to recover, register or detach them').click();
    await why.getByText('rucio did content remove --from-did example:data.358034.AOD').waitFor();
    await page.getByRole('listitem').filter({ hasText: 'data.358034.AOD/part-0030.root to LYON_DISK' }).waitFor();
    expect(await findViolations(page)).toEqual([]);
    const readCommand = (part: string) => why.locator('.command code', { hasText: part }).innerText();
    const takeToken = (await readCommand('TOKEN=')).replace('NAME', 'ddmlab').replace('PASSWORD', 'secret');
    await runInShell(`${takeToken}; ${(await readCommand('/replicas')).replace('curl', 'curl --fail')}`);
    await page.getByText('4 files still have to be copied.').waitFor();
    expect(await why.count()).toBe(0);
    await expect.poll(() => badge.count()).toBe(0);
    expect(faults).toEqual([]);
    await context.close();
  });
});

describe('a stuck rule', () => {
  it('leads to the places where its cause can be removed', async () => {
    const { page, context } = await openAt(`#/rule/${await makeUnplaceable()}`);
    await page.getByText('The account has no quota, or too little').waitFor();
    await page.getByText('There is insufficient quota on any of the target').waitFor();
    const note = page.locator('.note').filter({ hasText: 'Why it is stuck.' });
    expect(await note.getByRole('link').allInnerTexts()).toEqual([
      'Quota of poor',
      'RSEs of the expression',
      'Rule on other RSEs',
    ]);
    await note.getByRole('link', { name: 'RSEs of the expression' }).click();
    await expect.poll(() => page.getByRole('combobox', { name: 'Expression' }).inputValue()).toBe('CERN_DISK');
    await page.goBack();
    await note.getByRole('link', { name: 'Quota of poor' }).click();
    await page.getByRole('heading', { name: 'Usage and quota by RSE' }).waitFor();
    await settle(page);
    await context.close();
  });
});

const endsSoon = /ends in (59 minutes|1 hour)/;

describe('a rule that is deleted', () => {
  it('says what happens to its locks and until when, and can be kept', async () => {
    const lines = await (await call('GET', '/dids/example/data.358031.AOD/rules')).text();
    const { id } = JSON.parse(lines) as { id: string };
    const { page, context } = await openAt(`#/rule/${id}`);
    await page.getByRole('button', { name: 'Delete the rule' }).click();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    const note = page.getByRole('status').filter({ hasText: 'The rule ends' });
    await note.waitFor();
    expect(await note.innerText()).toMatch(/The rule ends in (59 minutes|1 hour), at .* Until then its 18 locks stay/);
    expect(await note.evaluate((element) => element === document.activeElement)).toBe(true);
    await page.reload();
    await note.waitFor();
    await page.getByRole('heading', { name: endsSoon }).waitFor();
    expect(await page.getByText('still have to be copied').count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Delete the rule' }).count()).toBe(0);
    expect(await findViolations(page)).toEqual([]);
    await visit(page, '#/did/example/data.358031.AOD?tab=rules');
    await page.getByRole('row', { name: endsSoon }).waitFor();
    await page.getByText('Its parents have no rule.').waitFor();
    await page.getByRole('link', { name: 'Its parents' }).click();
    await page.getByRole('table', { name: 'Collections that hold this DID' }).getByText('data.AOD').waitFor();
    await visit(page, '#/rules');
    await page
      .getByRole('row', { name: endsSoon })
      .getByRole('link', { name: id.slice(0, 8) })
      .click();
    await page.getByRole('button', { name: 'Never end' }).click();
    await expect.poll(() => note.count()).toBe(0);
    await page.getByText('still have to be copied').waitFor();
    const days = page.getByLabel('Days until it ends');
    expect(await days.inputValue()).toBe('');
    await days.fill('7');
    await page.getByRole('button', { name: 'Set the end' }).click();
    await page.getByText('It ends in 7 days.').waitFor();
    await page.getByText('in 7 days', { exact: true }).waitFor();
    await context.close();
  });
});

describe('what waits to be copied', () => {
  const unknown = /No mover is known for LYON_TAPE: its attribute mover is not set, and nobody has taken a transfer/;

  it('says where no mover is known, and what to do, until one takes a transfer', async () => {
    const { page, context, faults } = await openAt('#/requests?dst=LYON_TAPE');
    await page.getByText(unknown).waitFor();
    await page.getByText('What to do').click();
    await page.getByText('rucio rse attribute set LYON_TAPE --key mover --value webdav').waitFor();
    await page.getByText('docs/how-to/move-data.md').waitFor();
    expect(await findViolations(page)).toEqual([]);
    await visit(page, '#/rules?state=REPLICATING');
    const rule = page.getByRole('row', { name: /rse_type=TAPE/ }).getByRole('link');
    await rule.first().click();
    await page.getByText(unknown).waitFor();
    const leased = await call('POST', '/requests/lease', { holder: 'mover-7', dst_rse: 'LYON_TAPE', limit: 1 });
    expect(await leased.json()).toHaveLength(1);
    await page.reload();
    await page.getByText(/still have to be copied/).waitFor();
    await settle(page);
    expect(await page.getByText(unknown).count()).toBe(0);
    await page.getByRole('link', { name: 'transfers', exact: true }).click();
    await page.getByText('Taken by mover-7').waitFor();
    expect(await page.getByText(unknown).count()).toBe(0);
    expect(faults).toEqual([]);
    await context.close();
  });
});

describe('subscriptions', () => {
  it('that are none are no error: the page says what one is, and how to make one', async () => {
    const { page, context, faults } = await openAt('#/subscriptions');
    await page.getByText('No subscriptions yet.').waitFor();
    await page.getByText('rucio subscription add second-copies').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(await findViolations(page)).toEqual([]);
    expect(faults).toEqual([]);
    await context.close();
  });
});

describe('a rule whose files arrive', () => {
  it('is shown as it is, although it changed before the first event could be heard', async () => {
    const name = 'arrives/early.root';
    await call('POST', '/dids/example/arrives', {
      type: 'DATASET',
      rse: 'CERN_DISK',
      dids: [{ scope: 'example', name, bytes: 1, adler32: '0cc737eb' }],
    });
    const wish = { account: 'root', copies: 1, rse_expression: 'LYON_DISK' };
    const made = await call('POST', '/rules/', { ...wish, dids: [{ scope: 'example', name: 'arrives' }] });
    const [id = ''] = (await made.json()) as string[];
    const { page, context } = await openLoggedIn();
    const arrived = Promise.withResolvers<void>();
    await page.route('**/events?*', async (route) => {
      await arrived.promise;
      await route.continue();
    });
    await page.goto(`${site.url}/ui/#/rule/${id}`);
    await page.getByText('0 of 1 files there').waitFor();
    await call('PUT', '/replicas', { rse: 'LYON_DISK', files: [{ scope: 'example', name, state: 'A' }] });
    // Longer than until the log has the event.
    await page.waitForTimeout(3_000);
    arrived.resolve();
    await page.getByText('1 of 1 files there').waitFor();
    await context.close();
  });
});
