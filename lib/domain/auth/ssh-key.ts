import { createPublicKey, type KeyObject, verify } from 'node:crypto';

/** Digests of RSA signatures by their SSH name (RFC 4253, RFC 8332); clients before 41 send `ssh-rsa`. */
const digests = new Map([
  ['ssh-rsa', 'sha1'],
  ['rsa-sha2-256', 'sha256'],
  ['rsa-sha2-512', 'sha512'],
]);

/** A signature as SSH writes it. */
export interface SshSignature {
  readonly digest: string;
  readonly signature: Buffer;
}

/**
 * Reads an RSA key from the line of a public key file, `ssh-rsa <base64> <comment>`; only the second word counts
 * (spec/access.md 1.4).
 *
 * @returns Undefined for anything else.
 */
export function readPublicKey(line: string): KeyObject | undefined {
  const [type, exponent, modulus] = readStrings(line.trim().split(/\s+/)[1] ?? '');
  if (type?.toString('latin1') !== 'ssh-rsa' || exponent === undefined || modulus === undefined) return undefined;
  const key = { kty: 'RSA', e: exponent.toString('base64url'), n: modulus.toString('base64url') };
  try {
    return createPublicKey({ key, format: 'jwk' });
  } catch {
    return undefined;
  }
}

/**
 * Reads a signature in base64, padded or not: the name of its algorithm and its bytes.
 *
 * @returns Undefined for anything but an RSA signature.
 */
export function readSignature(base64: string): SshSignature | undefined {
  const [algorithm, signature] = readStrings(base64);
  const digest = digests.get(algorithm?.toString('latin1') ?? '');
  return digest === undefined || signature === undefined ? undefined : { digest, signature };
}

/** Whether the owner of the key has signed the text. */
export function isSignedBy(key: KeyObject, text: string, { digest, signature }: SshSignature): boolean {
  try {
    return verify(digest, Buffer.from(text), key, signature);
  } catch {
    // The stored key has invalid RSA parameters.
    return false;
  }
}

/** The strings of an SSH message, each prefixed by its length in four bytes; a truncated last string is dropped. */
function readStrings(base64: string): Buffer[] {
  const message = Buffer.from(base64, 'base64');
  const strings: Buffer[] = [];
  for (let start = 0; start + 4 <= message.length;) {
    const end = start + 4 + message.readUInt32BE(start);
    if (end > message.length) break;
    strings.push(message.subarray(start + 4, end));
    start = end;
  }
  return strings;
}
