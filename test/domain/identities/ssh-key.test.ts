import { randomBytes } from 'node:crypto';

import { describe, expect, it } from 'vitest';

import { isWeakKey, readPublicKey } from '../../../lib/domain/identities/ssh-key.ts';

const sshString = (content: Buffer) => {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(content.length);
  return Buffer.concat([length, content]);
};

/** The line of a key with a modulus of a length. Nobody has its private part, which takes long to find and is not read here. */
function lineOf(modulusLength: number, exponent = Buffer.from([1, 0, 1])): string {
  const modulus = randomBytes(Math.ceil(modulusLength / 8));
  const highest = 1 << ((modulusLength - 1) % 8);
  modulus[0] = ((modulus[0] ?? 0) % highest) + highest;
  modulus[modulus.length - 1] = (modulus.at(-1) ?? 0) | 1;
  const strings = [Buffer.from('ssh-rsa'), exponent, modulus].map(sshString);
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
