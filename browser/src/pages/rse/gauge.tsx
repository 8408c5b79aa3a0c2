import { getPage, path } from '../../api/client.ts';
import type { UsageLine } from '../../api/types.ts';
import { humanBytes } from '../../format.ts';
import { useLoad } from '../../load.ts';
import { Bar, Facts } from '../../ui/basics.tsx';
import { spaceOf, toneOfShare } from '../../ui/rse-space.ts';
import { Bytes, Count } from '../../ui/values.tsx';

/** A measurement of the usage. */
export interface Point {
  readonly time: number;
  readonly used: number;
}

/** How full an RSE is: what its storage reports, what the catalogue has there, and what is promised to accounts. */
export function Gauge({
  rse,
  of: lines,
  history,
}: {
  rse: string;
  of: readonly UsageLine[];
  history: readonly Point[];
}) {
  const { total, used, free, share } = spaceOf(rse, lines);
  const known = lines.find(({ source }) => source === 'rucio');
  const trend = describeTrend(history);
  const quotas = useQuotas(rse);
  return (
    <>
      <Facts
        of={[
          ['Used', <Bytes of={used} />],
          ...(total === undefined
            ? []
            : ([
                ['Free', <Bytes of={free} />],
                ['Size', <Bytes of={total} />],
              ] as const)),
          ['In the catalogue', <Bytes of={known?.used} />],
          ['Files', <Count of={known?.files} />],
          ...(quotas === undefined ? [] : ([['Sum of quotas', <span class="number">{quotas}</span>]] as const)),
          ...(trend === undefined ? [] : ([['Trend', <span class="number">{trend}</span>]] as const)),
        ]}
      />
      {share !== undefined && (
        <div class="gauge">
          <Bar share={share} tone={toneOfShare(share)} label={`${percent(share)} of ${humanBytes(total ?? 0)} used`} />
          <span>{percent(share)} used</span>
        </div>
      )}
    </>
  );
}

const percent = (share: number) => `${Math.round(share * 100)} %`;

/** Accounts whose quotas are added up. */
const maxAccounts = 1_000;

/** The sum of the quotas of an RSE in words; undefined while it is not known. */
function useQuotas(rse: string): string | undefined {
  const target = path('/rses/:rse/accounts/usage', { rse });
  const { value } = useLoad(`quotas ${target}`, (signal) => getPage(target, maxAccounts, undefined, { signal }));
  if (value === undefined) return undefined;
  const quotas = value.rows.map(({ quota_bytes: bytes }) => Number(bytes ?? 0));
  if (quotas.some((bytes) => bytes < 0 || !Number.isFinite(bytes))) return 'without bound';
  const sum = humanBytes(quotas.reduce((all, bytes) => all + bytes, 0));
  return value.next === undefined ? sum : `more than ${sum}`;
}

const dayMs = 86_400_000;

/** What a week, or at least a day, has added to an RSE, in words; undefined as long as nothing is known. */
function describeTrend(points: readonly Point[]): string | undefined {
  const last = points.at(-1);
  if (last === undefined) return undefined;
  const before = [7, 1].map((days) => [days, points.findLast(({ time }) => time <= last.time - days * dayMs)] as const);
  const [days, first] = before.find(([, point]) => point !== undefined) ?? [];
  if (days === undefined || first === undefined) return undefined;
  const change = last.used - first.used;
  return `${change < 0 ? '−' : '+'}${humanBytes(Math.abs(change))} in ${days === 1 ? 'a day' : 'a week'}`;
}
