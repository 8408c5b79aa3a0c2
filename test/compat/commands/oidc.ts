/** `rucio --auth-strategy oidc` against a real OpenID provider. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, afterEach, beforeAll, describe, expect, vi } from 'vitest';

import { logInAtProvider, type OpenIdProvider, openPage, startOpenIdProvider } from '../../support/openid-provider.ts';
import { baseUrl, rootUser } from '../../support/run.ts';
import { newAccount, uniqueName } from '../../support/server.ts';
import { command, expectSuccess } from '../support/cases.ts';
import { type ClientHome, createClientHome, printedFields } from '../support/client-home.ts';

/** Declares the cases. */
export function oidcCommands(): void {
  let provider: OpenIdProvider;
  let folder: string;
  let admin: ClientHome;
  const homes: ClientHome[] = [];
  beforeAll(async () => {
    provider = await startOpenIdProvider([`${await baseUrl()}/auth/oidc_code`]);
    folder = await mkdtemp(join(tmpdir(), 'dapple-oidc-'));
    const file = join(folder, 'clients.json');
    await writeFile(file, JSON.stringify({ local: provider.registration }), { mode: 0o600 });
    vi.stubEnv('OIDC_CLIENTS_FILE', file);
    admin = await createClientHome({ account: 'root', ...rootUser() });
    homes.push(admin);
  });
  afterEach(() => {
    vi.useRealTimers();
  });
  afterAll(async () => {
    vi.unstubAllEnvs();
    await provider.close();
    await Promise.all([...homes.map((home) => home.remove()), rm(folder, { recursive: true })]);
  });

  /** An account with an identity at the provider, and the configuration of its client. */
  async function newPerson(settings: Readonly<Record<string, string>> = {}) {
    const [{ account, username }, sub] = [await newAccount(), uniqueName('sub')];
    const identity = ['--type', 'OIDC', '--id', `SUB=${sub}, ISS=${provider.issuer}`, '--email', 'x@example.org'];
    expect((await admin.rucio('account', 'identity', 'add', account, ...identity)).status).toBe(0);
    const home = await createClientHome({ account, username, password: '' }, settings);
    homes.push(home);
    return { account, sub, home };
  }

  /** A user who opens the printed URL, logs in, and types the code if the page shows one. */
  function newUser(sub: string) {
    let isBusy = false;
    return (printed: string): Promise<string> | undefined => {
      const url = /\n {4}(http\S+\/auth\/oidc_redirect\?\w+) /.exec(printed)?.[1];
      if (url === undefined || isBusy) return undefined;
      isBusy = true;
      return logInAtProvider(url, sub)
        .then(openPage)
        .then((page) => page.text())
        .then((text) => /<pre>(\w+)<\/pre>/.exec(text)?.[1] ?? '');
    };
  }

  describe('logging in at an OpenID provider', () => {
    command('whoami --auth-strategy oidc', 'the user types the code that the browser shows', async () => {
      const { account, sub, home } = await newPerson();
      const outcome = await home.interact(['-S', 'oidc', 'whoami'], newUser(sub));
      expect(printedFields(expectSuccess(outcome))).toMatchObject({ account });
      expect(printedFields(expectSuccess(await home.rucio('-S', 'oidc', 'whoami')))).toMatchObject({ account });
    });

    command('whoami --auth-strategy oidc', 'with --oidc-polling the client fetches the token by itself', async () => {
      const { account, sub, home } = await newPerson();
      const outcome = await home.interact(['-S', 'oidc', '--oidc-polling', 'whoami'], newUser(sub));
      expect(printedFields(expectSuccess(outcome))).toMatchObject({ account });
    });

    command('whoami --auth-strategy oidc', 'a token that ends soon is refreshed without the user', async () => {
      const settings = {
        auth_type: 'oidc',
        auth_oidc_refresh_active: 'true',
        oidc_scope: 'openid profile offline_access',
      };
      const { account, sub, home } = await newPerson(settings);
      expectSuccess(await home.interact(['whoami'], newUser(sub)));
      const first = await readFile(home.tokenFile, 'utf8');
      // The client takes its clock for the end, the server its own for the age.
      const expiry = home.tokenFile.replace('auth_token_for', 'auth_token_exp_for');
      expect(Number(await readFile(expiry, 'utf8'))).toBeGreaterThan(Date.now() / 1_000);
      await writeFile(expiry, String(Math.floor(Date.now() / 1_000) + 600));
      vi.useFakeTimers({ toFake: ['Date'] });
      vi.advanceTimersByTime(10 * 60_000);
      expect(printedFields(expectSuccess(await home.rucio('whoami')))).toMatchObject({ account });
      expect(await readFile(home.tokenFile, 'utf8')).not.toBe(first);
    });

    command('whoami --auth-strategy oidc', "an account that is not the user's is refused", async () => {
      const [{ home }, { sub }] = [await newPerson(), await newPerson()];
      const stranger = newUser(sub);
      const args = ['-S', 'oidc', 'whoami'];
      const outcome = await home.interact(args, (printed) => stranger(printed)?.then(() => 'x\nx\nx'));
      expect(outcome.status).toBe(1);
      expect(outcome.stderr).toContain('OIDC authentication failed');
    });
  });
}
