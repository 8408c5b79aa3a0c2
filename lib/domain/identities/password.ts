import { createHash, createHmac, randomBytes, scrypt, type ScryptOptions, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

import { Cache } from '../../cache.ts';
import { env } from '../../env.ts';

/** The cost of hashing a new password: 32 MB and some 50 ms of one core. A stored hash keeps its own cost. */
const cost = () => ({ N: env.passwordRounds, r: 8, p: 1 });

type Cost = ReturnType<typeof cost>;

const saltBytes = 16;
const hashBytes = 32;

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

/** A hash to check in place of that of an unknown identity, so that the response time does not reveal it. */
const makeDecoyHash = () => format(cost(), randomBytes(saltBytes), randomBytes(hashBytes));

/**
 * Hashes a password with a salt of its own.
 *
 * @returns `scrypt$N$r$p$<salt>$<hash>`, both in base64url: it contains its own parameters.
 */
export async function hashPassword(password: string): Promise<string> {
  const parameters = cost();
  const salt = randomBytes(saltBytes);
  return format(parameters, salt, await compute(password, salt, hashBytes, parameters));
}

/**
 * Passwords that led to a log-in within the last minutes, by {@link markPassword}: hundreds of jobs log in with one password, and
 * each check would cost as much as fifty other requests. A wrong password is never here, so that guessing costs as much as
 * before, and a changed one is not found, because the mark contains its hash.
 */
const usedPasswords = new Cache<true>({ ttlMs: 600_000, maxEntries: 1_000 });

/** The key of {@link markPassword}: it never leaves the memory of the process. */
let markKey: Buffer | undefined;

/** Whether a password led to a log-in within ten minutes: then it need not be checked. */
export function isRememberedPassword(password: string, stored: string): boolean {
  return usedPasswords.get(markPassword(password, stored)) === true;
}

/** Remembers a correct password that led to a log-in. */
export function rememberPassword(password: string, stored: string): void {
  usedPasswords.set(markPassword(password, stored), true);
}

/**
 * Checks a password in constant time, also when there is no hash to check it against.
 *
 * @param stored What {@link hashPassword} or {@link keepRucioHash} returned; `undefined` when there is no such identity.
 */
export async function fitsHash(password: string, stored: string | undefined): Promise<boolean> {
  if (stored === undefined) {
    await fitsOwnHash(password, makeDecoyHash());
    return false;
  }
  const imported = parseRucioHash(stored);
  if (imported === undefined) return fitsOwnHash(password, stored);
  await fitsOwnHash(password, makeDecoyHash());
  return timingSafeEqual(computeRucioHash(password, imported.salt), imported.hash);
}

async function fitsOwnHash(password: string, stored: string): Promise<boolean> {
  const { salt, hash, ...parameters } = parse(stored);
  return timingSafeEqual(await compute(password, salt, hash.length, parameters), hash);
}

/** A text by which a process recognises a password; nobody else can compute it. */
export function markPassword(password: string, stored: string): string {
  markKey ??= randomBytes(32);
  return createHmac('sha256', markKey).update(`${stored}\n${password}`, 'utf8').digest('base64');
}

/** The scheme of passwords that came from the database of a Rucio server. */
const rucioScheme = 'rucio-sha256';

/**
 * The form in which a hash of Rucio is stored until the password is next used: `rucio-sha256$<salt>$<hash>`, both in
 * base64url.
 *
 * @param hash SHA-256 of the salt and the password, 64 hex digits.
 * @returns Undefined if it is not such a hash.
 */
export function keepRucioHash(salt: Uint8Array, hash: string): string | undefined {
  if (!/^[0-9a-f]{64}$/i.test(hash)) return undefined;
  const texts = [Buffer.from(salt), Buffer.from(hash, 'hex')].map((bytes) => bytes.toString('base64url'));
  return [rucioScheme, ...texts].join('$');
}

/** Whether a stored hash is to be replaced by one of {@link hashPassword} as soon as the password is known. */
export function isOutdatedHash(stored: string): boolean {
  return stored.startsWith(`${rucioScheme}$`);
}

function parseRucioHash(text: string): { readonly salt: Buffer; readonly hash: Buffer } | undefined {
  if (!isOutdatedHash(text)) return undefined;
  const [, salt = '', hash = ''] = text.split('$');
  return { salt: Buffer.from(salt, 'base64url'), hash: Buffer.from(hash, 'base64url') };
}

function computeRucioHash(password: string, salt: Buffer): Buffer {
  return createHash('sha256').update(salt).update(password, 'utf8').digest();
}

function compute(password: string, salt: Buffer, length: number, { N, r, p }: Cost): Promise<Buffer> {
  return derive(password, salt, length, { N, r, p, maxmem: 256 * N * r });
}

function format({ N, r, p }: Cost, salt: Buffer, hash: Buffer): string {
  return ['scrypt', N, r, p, salt.toString('base64url'), hash.toString('base64url')].join('$');
}

function parse(text: string): Cost & { salt: Buffer; hash: Buffer } {
  const [scheme, N, r, p, salt, hash] = text.split('$');
  if (scheme !== 'scrypt' || salt === undefined || hash === undefined) throw new Error('a stored password is damaged');
  return {
    N: Number(N),
    r: Number(r),
    p: Number(p),
    salt: Buffer.from(salt, 'base64url'),
    hash: Buffer.from(hash, 'base64url'),
  };
}
