import { createHash, randomBytes, scryptSync } from 'node:crypto';

import { afterEach, describe, expect, it, vi } from 'vitest';

import { fitsHash, hashPassword, isOutdatedHash, keepRucioHash } from '../../lib/domain/identities/password.ts';
import { countDerivations } from '../support/count-derivations.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

describe('password (access 1.4: scrypt internally)', () => {
  it('a hash contains its parameters and its own salt', async () => {
    vi.stubEnv('PASSWORD_ROUNDS', undefined);
    const [one, two] = await Promise.all([hashPassword('secret'), hashPassword('secret')]);
    expect(one).toMatch(/^scrypt\$32768\$8\$1\$[\w-]{22}\$[\w-]{43}$/);
    expect(one).not.toBe(two);
  });

  it('a hash matches its password and no other', async () => {
    const hash = await hashPassword('pässwörd 🐴');
    expect(await fitsHash('pässwörd 🐴', hash)).toBe(true);
    expect(await fitsHash('password', hash)).toBe(false);
    expect(await fitsHash('', hash)).toBe(false);
  });

  it('a hash with another cost is still valid', async () => {
    const salt = Buffer.from('0123456789abcdef');
    const hash = scryptSync('secret', salt, 32, { N: 1024, r: 8, p: 2 });
    const stored = `scrypt$1024$8$2$${salt.toString('base64url')}$${hash.toString('base64url')}`;
    expect(await fitsHash('secret', stored)).toBe(true);
    expect(await fitsHash('wrong', stored)).toBe(false);
  });

  it('without a hash no password matches, and the check derives a key all the same', async () => {
    const hash = await hashPassword('secret');
    for (const stored of [hash, undefined]) {
      const derivations = countDerivations();
      expect(await fitsHash('wrong', stored)).toBe(false);
      expect(derivations.stop()).toBe(1);
    }
  });

  it('without a hash the check has the cost of a new password', async () => {
    // Rounds that scrypt refuses: the error shows that it was asked for them.
    vi.stubEnv('PASSWORD_ROUNDS', '3');
    await expect(fitsHash('wrong', undefined)).rejects.toThrow('Invalid scrypt params');
  });

  it('a damaged hash is an error, not a refusal', async () => {
    await expect(fitsHash('secret', 'secret')).rejects.toThrow('damaged');
  });
});

describe('a password from a Rucio server', () => {
  const salt = randomBytes(255);
  const stored = keepRucioHash(salt, createHash('sha256').update(salt).update('pässwörd').digest('hex')) ?? '';

  it('matches the salted SHA-256 of Rucio, and no other password', async () => {
    expect(await fitsHash('pässwörd', stored)).toBe(true);
    expect(await fitsHash('password', stored)).toBe(false);
  });

  it('takes as long as any other: the check derives a key all the same', async () => {
    const derivations = countDerivations();
    await fitsHash('wrong', stored);
    expect(derivations.stop()).toBe(1);
  });

  it('is to be replaced, ours is not', async () => {
    expect(isOutdatedHash(stored)).toBe(true);
    expect(isOutdatedHash(await hashPassword('pässwörd'))).toBe(false);
  });

  it('is kept only if it is a SHA-256', () => {
    expect(keepRucioHash(salt, 'plain text')).toBeUndefined();
  });
});
