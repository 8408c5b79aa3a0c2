import { getLines, path } from '../api/client.ts';
import type { UsageLine } from '../api/types.ts';

/** The space of an RSE in bytes: as its storage reports, otherwise what the catalogue knows. */
export interface RseSpace {
  readonly rse: string;
  readonly used: number;
  readonly files: number;
  /** Undefined where no storage reports. */
  readonly total: number | undefined;
  readonly free: number | undefined;
  /** The used share, between 0 and 1. */
  readonly share: number | undefined;
}

/** From this share on an RSE is nearly full. */
export const nearlyFull = 0.85;

/** The tone of a bar of space. */
export const toneOfShare = (share: number) => (share > 0.95 ? 'bad' : share > nearlyFull ? 'waiting' : 'plain');

/** Reads the space of an RSE: one request. Throws as `getLines`. */
export async function readSpace(rse: string, signal: AbortSignal): Promise<RseSpace> {
  return spaceOf(rse, await getLines(path('/rses/:rse/usage', { rse }), { signal }));
}

/** The space of an RSE by the lines of its usage, one for each source. */
export function spaceOf(rse: string, lines: readonly UsageLine[]): RseSpace {
  const known = lines.find(({ source }) => source === 'rucio');
  const reported = lines.find(({ source, free, total }) => source !== 'rucio' && free !== null && Number(total) > 0);
  const total = reported === undefined ? undefined : Number(reported.total);
  const used = Number(reported?.used ?? known?.used ?? 0);
  return {
    rse,
    used,
    files: Number(known?.files ?? 0),
    total,
    free: reported === undefined ? undefined : Number(reported.free),
    share: total === undefined ? undefined : used / total,
  };
}
