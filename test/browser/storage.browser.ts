import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { addStorage, type Ask, logInAsRoot, pathOf, pfnOf, upload } from '../support/laptop.ts';
import { type ServerProcess, startServerProcess } from '../support/server-process.ts';
import { fill, send } from './support/fill-form.ts';
import { findViolations } from './support/looks.ts';
import { logIn, openBrowser, openPage, visit } from './support/open-page.ts';

let browser: Browser;
let server: ServerProcess;
let ask: Ask;
let folder: string;

beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'dapple-test-storage-')));
  browser = await openBrowser();
  server = await startServerProcess(['--data', folder, '--threads', '0']);
  ask = await logInAsRoot(server.url);
  await ask('POST', '/scopes/root/data');
  await addStorage(ask, 'ONE', join(folder, 'storage/one'));
  await upload(ask, 'ONE', 'good', 'hello', '062c0215');
  await upload(ask, 'ONE', 'spoilt', 'hallo', '062c0215');
});

afterAll(async () => {
  await browser?.close();
  await server?.kill();
  rmSync(folder, { recursive: true, force: true });
});

it('an RSE is made and its storage tested: the mover writes and compares a file, which is taken away again', async () => {
  const { page, context, faults } = await openPage(browser, server.url);
  await logIn(page);
  await visit(page, '#/do/add-rse');
  await fill(page, { Name: 'TWO', Protocol: 'file', Host: 'localhost', Folder: join(folder, 'storage/two') });
  await fill(page, { 'Attributes, one a line': 'mover=posix' });
  await send(page, 'Make the RSE');
  await page.getByRole('link', { name: 'Test the storage' }).click();
  const file = page.getByLabel('A small file that has a replica elsewhere');
  await expect.poll(() => file.inputValue()).toMatch(/^data:/);
  await file.fill('data:good');
  await page.getByText('A file of 5 B').waitFor();
  expect(await findViolations(page)).toEqual([]);
  // No account has a quota on a new RSE.
  await page.getByRole('button', { name: 'Copy it there' }).click();
  await page.getByRole('alert').waitFor();
  await ask('POST', '/accounts/root/limits/local/TWO', { bytes: -1 });
  await page.getByRole('button', { name: 'Copy it there' }).click();
  await page.getByText('The storage works.').waitFor();
  expect(readFileSync(pathOf(await pfnOf(ask, 'TWO', 'good')), 'utf8')).toBe('hello');
  expect(await findViolations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Take the copy away' }).click();
  await page.getByText('No rule keeps the copy any more').or(page.getByText('The copy was deleted')).waitFor();
  expect(await findViolations(page)).toEqual([]);

  await visit(page, '#/test-storage?rse=TWO&again');
  await file.fill('data:spoilt');
  await page.getByRole('button', { name: 'Copy it there' }).click();
  await page.getByText('The copy has failed.').waitFor();
  await page.locator('.note bdi').getByText('adler32').waitFor();
  expect(existsSync(pathOf(await pfnOf(ask, 'TWO', 'spoilt')))).toBe(false);
  expect(faults).toEqual([]);
  await context.close();
});
