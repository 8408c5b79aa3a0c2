import type { LocalUsage } from '../api/types.ts';
import { humanBytes } from '../format.ts';
import { Bar } from './basics.tsx';

/** The share of a limit that is used; undefined without a limit. */
export function shareUsed({ bytes, bytes_limit }: Pick<LocalUsage, 'bytes' | 'bytes_limit'>): number | undefined {
  const limit = Number(bytes_limit);
  return limit > 0 && limit < Infinity ? Number(bytes) / limit : undefined;
}

/** Usage against a limit, as a bar. */
export function Quota({ of: row }: { of: Pick<LocalUsage, 'bytes' | 'bytes_limit'> }) {
  const used = Number(row.bytes);
  const share = shareUsed(row);
  if (share === undefined)
    return <>{`${humanBytes(used)}, ${Number(row.bytes_limit) === 0 ? 'no quota' : 'unlimited'}`}</>;
  return (
    <div class="barred">
      <span class="number">
        {humanBytes(used)} of {humanBytes(row.bytes_limit as number)}
      </span>
      <Bar
        share={share}
        tone={share >= 1 ? 'bad' : share > 0.85 ? 'waiting' : 'plain'}
        label={`${Math.round(share * 100)} % used`}
      />
    </div>
  );
}
