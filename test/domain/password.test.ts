import { createHook } from 'node:async_hooks';
import { createHash, randomBytes, scryptSync } from 'node:crypto';

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import {
  hashPassword,
  isCorrectPassword,
  isOutdatedHash,
  keepRucioHash,
} from '../../lib/domain/identities/password.ts';

beforeEach(() => {
  vi.stubEnv('PASSWORD_ROUNDS', undefined);
});
afterEach(() => {
  vi.unstubAllEnvs();
});

describe('password (access 1.4: scrypt internally)', () => {
  it('a hash contains its parameters and its own salt', async () => {
    const [one, two] = await Promise.all([hashPassword('secret'), hashPassword('secret')]);
    expect(one).toMatch(/^scrypt\$32768\$8\$1\$[\w-]{22}\$[\w-]{43}$/);
    expect(one).not.toBe(two);
  });

  it('a hash matches its password and no other', async () => {
    const hash = await hashPassword('pässwörd 🐴');
    expect(await isCorrectPassword('pässwörd 🐴', hash)).toBe(true);
    expect(await isCorrectPassword('password', hash)).toBe(false);
    expect(await isCorrectPassword('', hash)).toBe(false);
  });

  it('a hash with another cost is still valid', async () => {
    const salt = Buffer.from('0123456789abcdef');
    const hash = scryptSync('secret', salt, 32, { N: 1024, r: 8, p: 2 });
    const stored = `scrypt$1024$8$2$${salt.toString('base64url')}$${hash.toString('base64url')}`;
    expect(await isCorrectPassword('secret', stored)).toBe(true);
    expect(await isCorrectPassword('wrong', stored)).toBe(false);
  });

  it('without a hash no password matches, and the check derives a key all the same', async () => {
    const hash = await hashPassword('secret');
    for (const stored of [hash, undefined]) {
      const derivations = countDerivations();
      expect(await isCorrectPassword('wrong', stored)).toBe(false);
      expect(derivations.stop()).toBe(1);
    }
  });

  it('without a hash the check has the cost of a new password', async () => {
    // Rounds that scrypt refuses: the error shows that it was asked for them.
    vi.stubEnv('PASSWORD_ROUNDS', '3');
    await expect(isCorrectPassword('wrong', undefined)).rejects.toThrow('Invalid scrypt params');
  });

  it('a damaged hash is an error, not a refusal', async () => {
    await expect(isCorrectPassword('secret', 'secret')).rejects.toThrow('damaged');
  });
});

describe('a password that was correct within ten minutes (docs/security.md)', () => {
  it('is recognised without deriving a key again', async () => {
    const hash = await hashPassword('secret');
    expect(await isCorrectPassword('secret', hash)).toBe(true);
    const derivations = countDerivations();
    expect(await isCorrectPassword('secret', hash)).toBe(true);
    expect(derivations.stop()).toBe(0);
  });

  it('is derived anew after ten minutes', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: 0 });
    try {
      const hash = await hashPassword('secret');
      await isCorrectPassword('secret', hash);
      vi.setSystemTime(599_999);
      const within = countDerivations();
      expect(await isCorrectPassword('secret', hash)).toBe(true);
      expect(within.stop()).toBe(0);
      vi.setSystemTime(600_000);
      const after = countDerivations();
      expect(await isCorrectPassword('secret', hash)).toBe(true);
      expect(after.stop()).toBe(1);
    } finally {
      vi.useRealTimers();
    }
  });

  it('does not make a wrong one cheaper to guess', async () => {
    const hash = await hashPassword('secret');
    await isCorrectPassword('secret', hash);
    const derivations = countDerivations();
    for (const wrong of ['Secret', 'Secret', 'secret ']) expect(await isCorrectPassword(wrong, hash)).toBe(false);
    expect(derivations.stop()).toBe(3);
  });

  it('is wrong as soon as another hash is stored', async () => {
    const former = await hashPassword('secret');
    await isCorrectPassword('secret', former);
    expect(await isCorrectPassword('secret', await hashPassword('another'))).toBe(false);
    expect(await isCorrectPassword('secret', undefined)).toBe(false);
  });

  it('is derived once for log-ins at the same time', async () => {
    const hash = await hashPassword('secret');
    const derivations = countDerivations();
    const answers = await Promise.all(Array.from({ length: 8 }, () => isCorrectPassword('secret', hash)));
    expect(new Set(answers)).toEqual(new Set([true]));
    expect(derivations.stop()).toBe(1);
  });
});

describe('a password from a Rucio server', () => {
  const salt = randomBytes(255);
  const stored = keepRucioHash(salt, createHash('sha256').update(salt).update('pässwörd').digest('hex')) ?? '';

  it('matches the salted SHA-256 of Rucio, and no other password', async () => {
    expect(await isCorrectPassword('pässwörd', stored)).toBe(true);
    expect(await isCorrectPassword('password', stored)).toBe(false);
  });

  it('takes as long as any other: the check derives a key all the same', async () => {
    const derivations = countDerivations();
    await isCorrectPassword('wrong', stored);
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

/** Counts the keys that Node.js derives by scrypt until it is stopped. */
function countDerivations(): { stop(): number } {
  let count = 0;
  const hook = createHook({
    init: (_id, type) => {
      if (type === 'SCRYPTREQUEST') count += 1;
    },
  }).enable();
  return {
    stop: () => {
      hook.disable();
      return count;
    },
  };
}
