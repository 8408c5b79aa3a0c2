import { createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';

import { beforeAll, describe, expect, it } from 'vitest';

import {
  asRoot,
  call,
  type Client,
  expectCreated,
  expectEmpty,
  expectError,
  newAccount,
  nobody,
  uniqueName,
} from '../support/server.ts';

const root = asRoot();
const newKey = (modulusLength = 2048) => generateKeyPairSync('rsa', { modulusLength }).privateKey;

const sshString = (bytes: Buffer | string) => {
  const content = Buffer.from(bytes);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(content.length);
  return Buffer.concat([length, content]);
};

/** The line of a public key file; a number whose first bit is set gets a zero before it. */
function publicLine(key: KeyObject): string {
  const { e = '', n = '' } = createPublicKey(key).export({ format: 'jwk' });
  const number = (text: string) => {
    const bytes = Buffer.from(text, 'base64url');
    return sshString((bytes[0] ?? 0) > 127 ? Buffer.concat([Buffer.from([0]), bytes]) : bytes);
  };
  return `ssh-rsa ${Buffer.concat([sshString('ssh-rsa'), number(e), number(n)]).toString('base64')} me@home`;
}

const digests = { 'rsa-sha2-256': 'sha256', 'rsa-sha2-512': 'sha512', 'ssh-rsa': 'sha1' } as const;

function signatureOf(key: KeyObject, text: string, algorithm: keyof typeof digests = 'rsa-sha2-256'): string {
  const signature = sign(digests[algorithm], Buffer.from(text), key);
  return Buffer.concat([sshString(algorithm), sshString(signature)]).toString('base64');
}

const addKey = async ({ account }: Client, identity: string) =>
  expectCreated(
    await root.post(`/accounts/${account}/identities`, { identity, authtype: 'SSH', email: 'x@example.org' }),
  );

const ask = (account: string) => call('GET', '/auth/ssh_challenge_token', { headers: { 'X-Rucio-Account': account } });
const challengeFor = async ({ account }: Client) =>
  (await ask(account)).headers.get('X-Rucio-SSH-Challenge-Token') ?? '';
const answer = (account: string, signature: string, headers: Record<string, string> = {}) =>
  call('GET', '/auth/ssh', {
    headers: { 'X-Rucio-Account': account, 'X-Rucio-SSH-Signature': signature, ...headers },
  });

const refused = (account: string) => `Cannot authenticate to account ${account} with given credentials`;
const date = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d UTC$/;

let alice: Client;
const key = newKey();
beforeAll(async () => {
  alice = await newAccount();
  await addKey(alice, publicLine(key));
});

describe('auth: SSH challenge (access 1.3, 1.4)', () => {
  it('names account and time of expiry, ten seconds from now, in headers', async () => {
    const given = await ask(alice.account);
    expect(`${given.status} ${given.text}`).toBe('200 ');
    expect(given.headers.get('Content-Type')).toBe('application/octet-stream');
    const expires = given.headers.get('X-Rucio-SSH-Challenge-Token-Expires') ?? '';
    expect(expires).toMatch(date);
    const challenge = given.headers.get('X-Rucio-SSH-Challenge-Token') ?? '';
    const [, number = '', second = ''] = new RegExp(`^challenge-(\\d+)-${alice.account}-(\\d+)$`).exec(challenge) ?? [];
    expect(BigInt(number)).toBeLessThan(2n ** 63n);
    expect(Number(second) * 1000).toBe(Date.parse(expires));
    expect(Math.abs(Number(second) - Date.now() / 1000 - 10)).toBeLessThan(5);
  });

  it('is no token', async () => {
    const token = await challengeFor(alice);
    const message = 'Cannot authenticate with given credentials';
    expectError(await call('GET', '/accounts/whoami', { token }), 401, 'CannotAuthenticate', message);
  });

  it('needs the account, which must be active', async () => {
    const none = await nobody.get('/auth/ssh_challenge_token');
    expectError(none, 400, 'ValueError', 'Account must be set.');
    const bob = await newAccount();
    expectEmpty(await root.put(`/accounts/${bob.account}`, { status: 'SUSPENDED' }));
    for (const account of [bob.account, uniqueName(), 'No#Account', 'x'.repeat(2000)]) {
      const message = `Cannot generate challenge for account ${account}`;
      expectError(await ask(account), 401, 'CannotAuthenticate', message);
    }
  });
});

describe('auth: SSH log-in (access 1.3, 1.4)', () => {
  it.each(['rsa-sha2-256', 'rsa-sha2-512', 'ssh-rsa'] as const)(
    'answers a token for a challenge that is signed with %s',
    async (algorithm) => {
      const given = await answer(alice.account, signatureOf(key, await challengeFor(alice), algorithm));
      expect(`${given.status} ${given.text}`).toBe('200 ');
      expect(given.headers.get('X-Rucio-Auth-Token-Expires')).toMatch(date);
      expect(given.headers.get('X-Rucio-Auth-Account')).toBeNull();
      const token = given.headers.get('X-Rucio-Auth-Token') ?? '';
      expect((await call('GET', '/accounts/whoami', { token })).headers.get('Location')).toBe(alice.account);
      expect((await call('GET', '/auth/validate', { token })).text).toContain("'identity': 'ssh:pubkey'");
    },
  );

  it('base64 may come without padding', async () => {
    const signature = signatureOf(key, await challengeFor(alice));
    expect((await answer(alice.account, signature.replace(/=+$/, ''))).status).toBe(200);
  });

  it('a challenge works once, by whichever signature, also at the same time', async () => {
    const challenge = await challengeFor(alice);
    const used = 'The challenge was used already: sign a new one.';
    const signatures = (['rsa-sha2-256', 'rsa-sha2-512', 'ssh-rsa'] as const).flatMap((algorithm) => {
      const signature = signatureOf(key, challenge, algorithm);
      return [signature, signature];
    });
    const answers = await Promise.all(signatures.map((signature) => answer(alice.account, signature)));
    const refusals = answers.filter(({ status }) => status !== 200);
    expect(refusals).toHaveLength(5);
    for (const refusal of refusals) expectError(refusal, 401, 'CannotAuthenticate', used);
  });

  it('challenges at the same time differ, and each of them works', async () => {
    const challenges = await Promise.all(Array.from({ length: 20 }, () => challengeFor(alice)));
    expect(new Set(challenges).size).toBe(20);
    const answers = challenges.map((challenge) => answer(alice.account, signatureOf(key, challenge)));
    for (const { status } of await Promise.all(answers)) expect(status).toBe(200);
  });

  it('an RSA key of less than 2,048 bits, or with the exponent 1, is refused: 400 InvalidObject', async () => {
    const message = 'Problem validating identity: an RSA key needs 2,048 bits at least';
    const [, modulus] = [0, createPublicKey(key).export({ format: 'jwk' }).n ?? ''];
    const number = Buffer.concat([Buffer.from([0]), Buffer.from(modulus, 'base64url')]);
    const one = [sshString('ssh-rsa'), sshString(Buffer.from([1])), sshString(number)];
    const lines = [512, 1024, 2047].map((bits) => publicLine(newKey(bits)));
    for (const identity of [...lines, `ssh-rsa ${Buffer.concat(one).toString('base64')} me@home`]) {
      const body = { identity, authtype: 'SSH', email: 'x@example.org' };
      expectError(await root.post(`/accounts/${alice.account}/identities`, body), 400, 'InvalidObject', message);
    }
  });

  it('each of several keys of an account is accepted; keys other than RSA are skipped', async () => {
    const bob = await newAccount();
    const [first, second] = [newKey(), newKey()];
    const curve = Buffer.concat([sshString('ssh-ed25519'), sshString('x'.repeat(32))]).toString('base64');
    for (const line of ['no key', 'ssh-rsa', `ssh-ed25519 ${curve} me`, 'ssh-rsa AAAA']) {
      await addKey(bob, line);
    }
    await addKey(bob, publicLine(first));
    await addKey(bob, publicLine(second).replace(/=* me@home$/, ''));
    for (const own of [first, second]) {
      expect((await answer(bob.account, signatureOf(own, await challengeFor(bob)))).status).toBe(200);
    }
    const foreign = await answer(bob.account, signatureOf(newKey(), await challengeFor(bob)));
    expectError(foreign, 401, 'CannotAuthenticate', refused(bob.account));
  });

  it('a challenge of another account, a forged one and one of another second are refused', async () => {
    const bob = await newAccount();
    const challenge = await challengeFor(alice);
    const [, number = '', second = ''] = /^challenge-(\d+)-.*-(\d+)$/.exec(challenge) ?? [];
    const texts = [
      await challengeFor(bob),
      `challenge-1-${alice.account}-${second}`,
      `challenge-${number}-${alice.account}-${Number(second) + 1000}`,
      challenge.replace('challenge', ''),
      '',
    ];
    for (const text of texts) {
      const given = await answer(alice.account, signatureOf(key, text));
      expectError(given, 401, 'CannotAuthenticate', refused(alice.account));
    }
  });

  it('a malformed signature is refused', async () => {
    const signature = signatureOf(key, await challengeFor(alice));
    const bytes = Buffer.from(signature, 'base64');
    const renamed = Buffer.concat([sshString('ssh-dss'), bytes.subarray(4 + 'rsa-sha2-256'.length)]);
    const flipped = Buffer.from(bytes);
    flipped[flipped.length - 1] = (flipped.at(-1) ?? 0) ^ 1;
    for (const text of [
      'x',
      '////',
      bytes.subarray(0, 40).toString('base64'),
      renamed.toString('base64'),
      flipped.toString('base64'),
      sshString('rsa-sha2-256').toString('base64'),
    ]) {
      expectError(await answer(alice.account, text), 401, 'CannotAuthenticate', refused(alice.account));
    }
  });

  it('account and signature must be given; the account must exist and be active, the VO ours', async () => {
    const message = 'Account and SSH signature must be set.';
    for (const headers of [{}, { 'X-Rucio-Account': 'root' }, { 'X-Rucio-SSH-Signature': 'x' }]) {
      expectError(await call('GET', '/auth/ssh', { headers }), 400, 'ValueError', message);
    }
    const signature = signatureOf(key, await challengeFor(alice));
    for (const account of [uniqueName(), 'No#Account', 'root']) {
      expectError(await answer(account, signature), 401, 'CannotAuthenticate', refused(account));
    }
    const vo = (name: string) => answer(alice.account, signature, { 'X-Rucio-VO': name });
    expectError(await vo('xyz'), 401, 'CannotAuthenticate', refused(alice.account));
    expectError(await vo('a b'), 400, 'RucioException', 'Invalid characters in VO name.');
    expect((await vo('def')).status).toBe(200);

    const bob = await newAccount();
    await addKey(bob, publicLine(key));
    const own = signatureOf(key, await challengeFor(bob));
    expect((await answer(bob.account, own)).status).toBe(200);
    const laterChallenge = await challengeFor(bob);
    expectEmpty(await root.put(`/accounts/${bob.account}`, { status: 'SUSPENDED' }));
    const later = signatureOf(key, laterChallenge);
    expectError(
      await answer(bob.account, later),
      401,
      'CannotAuthenticate',
      `${refused(bob.account)}: the account is suspended`,
    );
  });

  it('a key that is an identity of another type cannot log in', async () => {
    const bob = await newAccount();
    const identity = { identity: publicLine(key), authtype: 'GSS', email: 'x@example.org' };
    expectCreated(await root.post(`/accounts/${bob.account}/identities`, identity));
    const given = await answer(bob.account, signatureOf(key, await challengeFor(bob)));
    expectError(given, 401, 'CannotAuthenticate', refused(bob.account));
  });

  it('a removed key cannot log in', async () => {
    const bob = await newAccount();
    await addKey(bob, publicLine(key));
    const named = { identity: publicLine(key), authtype: 'SSH' };
    expectEmpty(await root.delete(`/accounts/${bob.account}/identities`, named));
    const given = await answer(bob.account, signatureOf(key, await challengeFor(bob)));
    expectError(given, 401, 'CannotAuthenticate', refused(bob.account));
  });
});
