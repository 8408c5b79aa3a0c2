import { createPublicKey, hash, type KeyObject, publicDecrypt, verify } from 'node:crypto';

const digestBytes = { sha1: 20, sha256: 32, sha512: 64 } as const;

/** Digests of RSA signatures by their SSH name (RFC 4253, RFC 8332); clients before 41 send `ssh-rsa`. */
const digests = new Map<string, keyof typeof digestBytes>([
  ['ssh-rsa', 'sha1'],
  ['rsa-sha2-256', 'sha256'],
  ['rsa-sha2-512', 'sha512'],
]);

/** The least length of the modulus, in bits, and of the exponent: shorter keys can be computed, and 1 signs everything. */
const least = { modulusBits: 2_048, exponent: 3n };

/** A signature as SSH writes it. */
export interface SshSignature {
  readonly digest: keyof typeof digestBytes;
  readonly signature: Buffer;
}

/**
 * Reads an RSA key from the line of a public key file, `ssh-rsa <base64> <comment>`; only the second word counts
 * (spec/access.md 1.4).
 *
 * @returns Undefined for anything else, and for a key that is too weak.
 */
export function readPublicKey(line: string): KeyObject | undefined {
  const key = readRsaKey(line);
  return key === undefined || isWeak(key) ? undefined : key;
}

/** Whether the line is that of an RSA key that can be computed from it. */
export function isWeakKey(line: string): boolean {
  const key = readRsaKey(line);
  return key !== undefined && isWeak(key);
}

function isWeak({ asymmetricKeyDetails: details }: KeyObject): boolean {
  return (details?.modulusLength ?? 0) < least.modulusBits || (details?.publicExponent ?? 0n) < least.exponent;
}

function readRsaKey(line: string): KeyObject | undefined {
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

/**
 * Reads which text a signature is of, if it is one of the key's: a quick test whether it may be of a text, before
 * {@link isSignedBy} decides.
 */
export function readSignedDigest(key: KeyObject, { digest, signature }: SshSignature): SignedDigest | undefined {
  try {
    const signed = publicDecrypt(key, signature);
    return (text) => signed.subarray(-digestBytes[digest]).equals(hash(digest, text, 'buffer'));
  } catch {
    return undefined;
  }
}

/** Whether a text has the digest that was signed. */
type SignedDigest = (text: string) => boolean;

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
