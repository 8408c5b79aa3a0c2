import { beforeAll, expect, it } from 'vitest';

import { fill, send } from './support/fill-form.ts';
import { findOverflow, findViolations } from './support/looks.ts';
import { screens, visit } from './support/open-page.ts';
import { addAlice, hostileTexts } from './support/seeded-server.ts';
import { exampleSite } from './support/site.ts';

const site = exampleSite();
const { call, openAt, openLoggedIn } = site;

beforeAll(() => addAlice(call));

const readJson = async (path: string) => (await (await call('GET', path)).json()) as Record<string, unknown>;

it('makes, fills, empties, closes and ends a dataset, and says before what happens', async () => {
  const { page, context, faults } = await openAt('#/do/make-collection?scope=example');
  await fill(page, { Name: 'mine', 'DIDs to attach, one a line': 'data.358031.AOD/part-0001.root\nno-such-file' });
  await page.getByText('An open dataset example:mine is made, with 2 DIDs in it.').waitFor();
  await page.getByRole('listitem').filter({ hasText: 'no-such-file' }).getByText('does not exist').waitFor();
  await page.getByRole('button', { name: 'Make it' }).click();
  await page.getByRole('alert').getByText('One of the DIDs does not exist.').waitFor();
  expect(await findViolations(page)).toEqual([]);
  await fill(page, { 'DIDs to attach, one a line': 'data.358031.AOD/part-0001.root' });
  await send(page, 'Make it');
  // The keyboard goes on at the result.
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'example:mine' }).waitFor();

  await page.getByRole('link', { name: 'Attach' }).click();
  await fill(page, { 'DIDs, one a line': 'example:data.358031.AOD/part-0002.root' });
  await send(page, 'Attach');
  await visit(page, '#/do/detach?did=example:mine&members=data.358031.AOD/part-0001.root');
  await send(page, 'Detach');
  expect(await readJson('/dids/example/mine')).toMatchObject({ length: 1, open: true });
  await visit(page, '#/do/set-metadata?did=example:mine');
  await fill(page, { Key: 'run_number', Value: '42' });
  await send(page, 'Set it');
  expect(await readJson('/dids/example/mine/meta?plugin=ALL')).toMatchObject({ run_number: 42 });
  await visit(page, '#/do/close?did=example:mine');
  await send(page, 'Close it');
  expect(await readJson('/dids/example/mine')).toMatchObject({ open: false });
  await visit(page, '#/did/example/mine');
  await page.getByRole('link', { name: 'Open again' }).click();
  await send(page, 'Open it again');

  await visit(page, '#/do/delete-did?did=example:data.358034.AOD');
  await page.getByText(/rules? on it would end with it/).waitFor();
  await page.getByText('its name is never used again').waitFor();
  await send(page, 'Set its end');
  expect((await readJson('/dids/example/data.358034.AOD'))['expired_at']).not.toBeNull();
  await fill(page, { 'It ends': '' });
  await send(page, 'Set its end');
  expect((await readJson('/dids/example/data.358034.AOD'))['expired_at']).toBeNull();
  expect(faults).toEqual([]);
  await context.close();
});

it('offers an account what it may do, and says who may do the rest; also on a phone', async () => {
  const { page, context, faults } = await site.open({
    viewport: screens.phone,
    colorScheme: 'dark',
  });
  await page.getByLabel('Account').fill('alice');
  await page.getByLabel('User name').fill('alice');
  await page.getByLabel('Password').fill('wonderland');
  await page.getByRole('button', { name: /^Log in( as alice)?$/ }).click();
  await page.locator('.shell').waitFor();

  await visit(page, '#/did/example/data.358031.AOD');
  await page.getByText('What others may do').click();
  await page.getByText('Delete: root and administrators; or the owner of the scope').waitFor();
  expect(await page.getByRole('link', { name: 'Delete' }).count()).toBe(0);
  await visit(page, '#/do/close?did=example:data.358031.AOD');
  await page.getByText('Your account may not do this. Who may: root and administrators').waitFor();
  expect(await page.getByRole('button', { name: 'Close it' }).count()).toBe(0);

  // Texts of an address are texts.
  await visit(page, `#/do/make-collection?scope=user.alice&name=${encodeURIComponent(hostileTexts.markup)}`);
  await page.getByText(`An open dataset user.alice:${hostileTexts.markup}`).waitFor();
  await fill(page, { Name: 'own' });
  await send(page, 'Make it');
  expect(await readJson('/dids/user.alice/own')).toMatchObject({ account: 'alice' });
  await visit(page, '#/do');
  await page.getByRole('link', { name: 'Make a dataset or container' }).waitFor();
  expect(await findViolations(page)).toEqual([]);
  expect(await findOverflow(page)).toBe(0);
  expect(faults).toEqual([]);
  await context.close();
});

it('moves, reduces, changes and repairs rules', async () => {
  const { page, context, faults } = await openLoggedIn();
  const add = async (copies: number, expression: string) => {
    const rule = { account: 'root', copies, rse_expression: expression, dids: [{ scope: 'example', name: 'mine' }] };
    return ((await (await call('POST', '/rules/', rule)).json()) as [string])[0];
  };
  const id = await add(2, 'CERN_DISK|LYON_DISK');
  await visit(page, `#/rule/${id}`);
  await page.getByRole('link', { name: 'Change more' }).click();
  await page.getByRole('listitem').filter({ hasText: 'CERN_DISK|LYON_DISK' }).waitFor();
  await fill(page, { Comment: hostileTexts.markup, 'Days until it ends': '3' });
  await page.getByText('Changed: lifetime, comment.').waitFor();
  await send(page, 'Change the rule');
  expect(await readJson(`/rules/${id}`)).toMatchObject({ comments: hostileTexts.markup });
  await visit(page, `#/do/repair-rules?rules=${id}&priority=5`);
  await send(page, 'Repair them');
  expect(await readJson(`/rules/${id}`)).toMatchObject({ priority: 5 });
  await visit(page, `#/do/reduce-rule?rule=${id}&copies=1`);
  await send(page, 'Reduce the rule');
  const moved = await add(1, 'LYON_DISK');
  await visit(page, `#/do/move-rule?rule=${moved}&expression=CERN_DISK`);
  await page.getByText('A new rule for CERN_DISK is made').waitFor();
  await send(page, 'Move the rule');
  // Its files are there already, so the former rule may have gone.
  expect(await (await call('GET', '/dids/example/mine/rules')).text()).toContain('"rse_expression": "CERN_DISK"');
  expect(faults).toEqual([]);
  await context.close();
});
