import { getPage } from '../../api/client.ts';
import { humanBytes } from '../../format.ts';
import { useLoad } from '../../load.ts';
import { placeUrl } from '../../router.ts';
import { Bar, Empty, Pending, Section } from '../../ui/basics.tsx';
import { nearlyFull, readSpace, toneOfShare } from '../../ui/rse-space.ts';
import { RseLink } from '../../ui/values.tsx';

/** RSEs that are looked at: each needs a request. */
const maxRses = 25;
const shownRses = 6;

/** RSEs that are nearly full. */
export function FullRses() {
  const { value, error, reload } = useLoad('full RSEs', async (signal) => {
    const { rows, next } = await getPage('/rses', maxRses, undefined, { signal });
    const spaces = await Promise.all(rows.map(({ rse }) => readSpace(rse, signal)));
    const full = spaces.flatMap(({ rse, free, share }) =>
      share === undefined || share <= nearlyFull ? [] : [{ rse, share, free: free ?? 0 }],
    );
    return { full: full.toSorted((a, b) => b.share - a.share), isPart: next !== undefined };
  });
  return (
    <Section heading="RSEs nearly full" aside={<a href={placeUrl(['rses'])}>All RSEs</a>}>
      <Pending of={{ value, error, reload }} />
      {value?.full.length === 0 && <Empty>None is more than {Math.round(nearlyFull * 100)} % full.</Empty>}
      <ul class="lines">
        {value?.full.slice(0, shownRses).map(({ rse, share, free }) => (
          <li key={rse}>
            <RseLink rse={rse} />
            <span class="push wide-bar">
              <div class="barred">
                <span class="number">
                  {Math.round(share * 100)} %, {humanBytes(free)} free
                </span>
                <Bar share={share} tone={toneOfShare(share)} label={`${Math.round(share * 100)} % used`} />
              </div>
            </span>
          </li>
        ))}
      </ul>
      {value?.isPart === true && <p class="hint">Of the first {maxRses} RSEs, by name.</p>}
    </Section>
  );
}
