import { getPage, path } from '../../api/client.ts';
import type { LocalUsage } from '../../api/types.ts';
import { useDelayed, useLoad } from '../../load.ts';

/** Quota and usage of an account on an RSE, in bytes. */
export interface Quota {
  readonly limit: number;
  readonly used: number;
}

const maxRses = 1_000;
const typingMs = 300;

/** The quota of an account by RSE; RSEs without one are missing. Undefined while it is loading, or for no account. */
export function useQuota(account: string): ReadonlyMap<string, Quota> | undefined {
  const settled = useDelayed(account, typingMs);
  const { value } = useLoad(`quota ${settled}`, async (signal) =>
    settled === ''
      ? undefined
      : getPage(path('/accounts/:account/usage/local', { account: settled }), maxRses, undefined, { signal }),
  );
  return value === undefined ? undefined : new Map(value.rows.map((row) => [row.rse, toQuota(row)]));
}

function toQuota({ bytes, bytes_limit: limit }: LocalUsage): Quota {
  const wide = Number(limit);
  return { limit: wide < 0 ? Infinity : wide, used: Number(bytes) };
}
