import { describe, expect, it } from 'vitest';

import { Sha256 } from '../../infra/bundle/checksums.ts';

describe('the SHA-256 that the bundles use in place of the SDK’s', () => {
  it('hashes as FIPS 180-4 says', async () => {
    expect(await digest(new Sha256(), 'abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });

  it.each(['Jefe', Buffer.from('Jefe')])('makes the HMAC of RFC 4231, test case 2, with the key as %o', async (key) => {
    const hmac = await digest(new Sha256(key), 'what do ya want for nothing?');
    expect(hmac).toBe('5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843');
  });

  it('begins anew after a reset', async () => {
    const hash = new Sha256();
    hash.update(Buffer.from('before'));
    hash.reset();
    expect(await digest(hash, 'after')).toEqual(await digest(new Sha256(), 'after'));
  });
});

/** The digest, in hex, of a text that is fed in two parts. */
async function digest(hash: Sha256, text: string): Promise<string> {
  const bytes = Buffer.from(text);
  hash.update(bytes.subarray(0, 1));
  hash.update(bytes.subarray(1));
  return Buffer.from(await hash.digest()).toString('hex');
}
