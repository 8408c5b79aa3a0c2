import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { type OpenIdProvider, startOpenIdProvider } from '../support/openid-provider.ts';
import { emptySite } from './support/site.ts';

const site = emptySite();
const { call } = site;
let provider: OpenIdProvider;
let folder: string;

beforeAll(async () => {
  provider = await startOpenIdProvider([`${site.url}/auth/oidc_code`]);
  folder = await mkdtemp(join(tmpdir(), 'dapple-page-oidc-'));
  const file = join(folder, 'clients.json');
  await writeFile(file, JSON.stringify({ iam: provider.registration }));
  vi.stubEnv('OIDC_CLIENTS_FILE', file);
  await call('POST', '/accounts/alice', { type: 'USER', email: 'alice@example.org' });
  const identity = { identity: `SUB=alice, ISS=${provider.issuer}`, authtype: 'OIDC', email: 'alice@example.org' };
  await call('POST', '/accounts/alice/identities', identity);
});

afterAll(async () => {
  await provider?.close();
  if (folder !== undefined) await rm(folder, { recursive: true });
});

describe('a log-in at an OpenID provider (access 1.7)', () => {
  it('opens the page of the provider, and goes on by itself once the user has agreed there', async () => {
    const { page, context } = await site.open();
    const popup = page.waitForEvent('popup');
    await page.getByRole('button', { name: 'At an OpenID provider' }).click();
    const shown = await popup;
    await shown.getByPlaceholder('Enter any login').fill('alice');
    await shown.getByPlaceholder('and password').fill('any');
    await shown.getByRole('button', { name: 'Sign-in' }).click();
    await shown.getByRole('button', { name: 'Continue' }).click();
    await page.locator('.shell').waitFor();
    await expect.poll(() => page.locator('.shell').innerText()).toContain('alice');
    await context.close();
  });

  it('says so if nobody has registered a provider', async () => {
    vi.stubEnv('OIDC_CLIENTS_FILE', join(folder, 'other.json'));
    await writeFile(join(folder, 'other.json'), '{}');
    const { page, context } = await site.open();
    await page.getByRole('button', { name: 'At an OpenID provider' }).click();
    await page.getByRole('alert').getByText('Cannot get authentication URL').first().waitFor();
    await context.close();
  });
});
