import { createPublicKey, generateKeyPairSync } from 'node:crypto';

import { describe, expect, it } from 'vitest';

import { isWeakKey, readPublicKey } from '../../../lib/domain/identities/ssh-key.ts';

const sshString = (content: Buffer) => {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(content.length);
  return Buffer.concat([length, content]);
};

function lineOf(modulusLength: number, exponent?: Buffer): string {
  const { publicKey } = generateKeyPairSync('rsa', { modulusLength });
  const { e = '', n = '' } = createPublicKey(publicKey.export({ type: 'spki', format: 'pem' })).export({
    format: 'jwk',
  });
  const numbers = [exponent ?? Buffer.from(e, 'base64url'), Buffer.from(n, 'base64url')];
  const strings = [Buffer.from('ssh-rsa'), ...numbers].map(sshString);
  return `ssh-rsa ${Buffer.concat(strings).toString('base64')} me`;
}

describe('an RSA key of an SSH identity', () => {
  it.each([2_048, 3_072, 4_096])('of %d bits can be used', (bits) => {
    expect(readPublicKey(lineOf(bits))).toBeDefined();
    expect(isWeakKey(lineOf(bits))).toBe(false);
  });

  it.each([512, 1_024, 2_047])('of %d bits is weak: one that was added before is not used', (bits) => {
    expect(readPublicKey(lineOf(bits))).toBeUndefined();
    expect(isWeakKey(lineOf(bits))).toBe(true);
  });

  it('with the exponent 1 is weak: everything would be signed by it', () => {
    expect(readPublicKey(lineOf(2_048, Buffer.from([1])))).toBeUndefined();
  });

  it('is no weak key if it is none', () => {
    for (const line of ['', 'ssh-rsa', 'ssh-ed25519 AAAA me', '/CN=x']) expect(isWeakKey(line)).toBe(false);
  });
});
