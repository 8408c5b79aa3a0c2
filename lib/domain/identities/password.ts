import { randomBytes, scrypt, type ScryptOptions, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

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
 * Checks a password in constant time, also when there is no hash to check it against.
 *
 * @param stored What {@link hashPassword} returned; `undefined` when there is no such identity.
 */
export async function isCorrectPassword(password: string, stored: string | undefined): Promise<boolean> {
  const { salt, hash, ...parameters } = parse(stored ?? makeDecoyHash());
  const fits = timingSafeEqual(await compute(password, salt, hash.length, parameters), hash);
  return fits && stored !== undefined;
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
