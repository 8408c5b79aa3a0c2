/** Costs that callers without a token can cause by log-ins at OpenID providers, and the address that they get. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { bootstrapRoot } from '../../../lib/domain/accounts/bootstrap.ts';
import { seal, unseal } from '../../../lib/domain/oidc/seal.ts';
import { continueOidcLogin } from '../../../lib/operations/auth/continue-oidc-login.ts';
import { finishOidcLogin } from '../../../lib/operations/auth/finish-oidc-login.ts';
import { type OidcLoginInput, requestOidcLogin } from '../../../lib/operations/auth/request-oidc-login.ts';
import { measure } from '../../../lib/store/items/meter.ts';
import type { Store } from '../../../lib/store/open-store.ts';
import { newTestStore } from '../../support/store.ts';

let store: Store;
let folder: string;

beforeAll(async () => {
  store = await newTestStore();
  await bootstrapRoot(store, { username: 'ddmlab', password: 'secret' });
  folder = await mkdtemp(join(tmpdir(), 'dapple-oidc-'));
  const file = join(folder, 'clients.json');
  const client = { issuer: 'https://iam.invalid/', client_id: 'dapple', client_secret: 'secret' };
  const uris = ['https://a.example/prod/auth/oidc_code', 'https://b.example/auth/oidc_code'];
  await writeFile(file, JSON.stringify({ iam: { ...client, redirect_uris: uris } }));
  vi.stubEnv('OIDC_CLIENTS_FILE', file);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true });
});

const context = () => ({ store: store.begin(), now: Date.now() });

const ask = (input: Partial<OidcLoginInput>) =>
  requestOidcLogin(context(), {
    vo: undefined,
    account: 'root',
    scope: undefined,
    audience: undefined,
    provider: undefined,
    polling: undefined,
    refreshLifetime: undefined,
    host: undefined,
    ...input,
  });

describe('a log-in at an OpenID provider (access 1.7)', () => {
  it('costs a read and a write of one unit to begin, also with the longest texts', async () => {
    const long = 'x'.repeat(485);
    const { cost } = await measure(() => ask({ scope: `openid profile ${long}`, polling: 'True' }));
    expect(cost).toMatchObject({ requests: 2, wru: 1 });
    expect(cost.rru).toBeLessThanOrEqual(1);
  });

  it('costs nothing for tickets, codes and states that are not ours', async () => {
    const forged = 'a'.repeat(50);
    const { cost } = await measure(async () => {
      for (const isFetch of [true, false]) {
        await expect(continueOidcLogin(context(), { text: forged, isFetch })).rejects.toThrow('Cannot finalize');
        await expect(continueOidcLogin(context(), { text: `${forged}_polling`, isFetch })).rejects.toThrow('Cannot');
      }
      await expect(finishOidcLogin(context(), { state: forged, code: 'x' })).rejects.toThrow('Cannot finalize');
    });
    expect(cost.requests).toBe(0);
  });

  it('begins at the registered address on the host of the request, else at the first', async () => {
    expect(await ask({ host: 'B.example' })).toMatch(/^https:\/\/b\.example\/auth\/oidc_redirect\?/);
    expect(await ask({ host: 'evil.example' })).toMatch(/^https:\/\/a\.example\/prod\/auth\/oidc_redirect\?/);
  });

  it('seals what the table must not show, and finds changes of it', async () => {
    const sealed = await seal('a refresh token');
    expect(sealed).not.toContain(Buffer.from('a refresh token').toString('base64url').slice(0, 8));
    expect(await unseal(sealed)).toBe('a refresh token');
    expect(await unseal(`other.${sealed.split('.')[1]}`)).toBeUndefined();
    await expect(unseal(`${sealed.slice(0, -4)}AAAA`)).rejects.toThrow('authenticate');
  });
});
