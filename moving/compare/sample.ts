import { createHash } from 'node:crypto';

/** Decides which DIDs are compared. */
export type Sample = (did: { readonly scope: string; readonly name: string }) => boolean;

/**
 * A share of all DIDs. It follows from a hash of the name, so it is the same on both servers and in every run.
 *
 * @param share From 0 to 1; 1: all DIDs.
 */
export function sampleOf(share: number): Sample {
  if (share >= 1) return () => true;
  const bound = share * 2 ** 32;
  return ({ scope, name }) => createHash('sha256').update(`${scope}:${name}`).digest().readUInt32BE(0) < bound;
}
