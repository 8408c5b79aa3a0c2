import { getLines, getPage } from '../../api/client.ts';
import type { DistanceLine } from '../../api/types.ts';
import { counted } from '../../format.ts';
import { useLoad } from '../../load.ts';
import { Empty, Pending, Section } from '../../ui/basics.tsx';
import { SameAs } from '../../ui/same-as.tsx';
import { RseLink } from '../../ui/values.tsx';

/** RSEs in the matrix at most: each needs a request for its distances. */
const maxRses = 25;

const target = '/requests/metrics';

/** How far the RSEs are from each other, as a matrix: movers are offered the nearest source first. */
export function DistanceMatrix({ expression }: { expression: string }) {
  const { value, error, reload } = useLoad(`${target} ${expression}`, (signal) => loadMatrix(expression, signal));
  return (
    <Section heading="Distances">
      <Pending of={{ value, error, reload }} />
      {value !== undefined && value.rses.length === 0 && <Empty>There are no RSEs.</Empty>}
      {value !== undefined && value.rses.length > 0 && (
        <>
          <p class="hint">
            <span class="wide-only">From the RSE of the row to the RSE of the column. </span>
            <span class="narrow-only">From each RSE to others. </span>
            The smallest distance is the nearest; a way without a number comes last.
            {value.isPart && ` These are the first ${counted(maxRses, 'RSE')}: narrow the expression to see others.`}
          </p>
          <NearestList ways={value.ways} />
          <Matrix rses={value.rses} distances={value.distances} />
        </>
      )}
      <SameAs curl={{ path: target, query: { src_rse: value?.rses[0] ?? 'RSE' } }} />
    </Section>
  );
}

/** The ways by source, the nearest first: what a phone can show. */
function NearestList({ ways }: { ways: readonly DistanceLine[] }) {
  const bySource = Map.groupBy(ways, ({ src_rse }) => src_rse);
  if (ways.length === 0) return <Empty>No distance is set between these RSEs.</Empty>;
  return (
    <ul class="lines ways narrow-only">
      {[...bySource].map(([source, lines]) => (
        <li key={source}>
          <RseLink rse={source} />
          {lines
            .toSorted((a, b) => (a.distance ?? Infinity) - (b.distance ?? Infinity))
            .map(({ dst_rse: to, distance }) => (
              <span key={to}>
                {distance} to <RseLink rse={to} />
              </span>
            ))}
        </li>
      ))}
    </ul>
  );
}

/** RSEs with a distance, as a matrix of sources and destinations. */
function Matrix({ rses: all, distances }: { rses: readonly string[]; distances: ReadonlyMap<string, number | null> }) {
  const from = all.filter((rse) => all.some((to) => distances.has(pair(rse, to))));
  const destinations = all.filter((rse) => all.some((source) => distances.has(pair(source, rse))));
  if (from.length === 0) return null;
  return (
    <div class="table-frame matrix" tabIndex={0} role="group" aria-label="Distances between RSEs">
      <table>
        <caption class="visually-hidden">The distance from each RSE to each other</caption>
        <thead>
          <tr>
            <th scope="col">From</th>
            {destinations.map((rse) => (
              <th key={rse} scope="col" class="number">
                <RseLink rse={rse} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {from.map((source) => (
            <tr key={source}>
              <th scope="row">
                <RseLink rse={source} />
              </th>
              {destinations.map((to) => (
                <td key={to} class="number">
                  {distances.get(pair(source, to)) ?? <span class="absent">–</span>}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** RSE names have no spaces. */
const pair = (from: string, to: string) => `${from} ${to}`;

async function loadMatrix(expression: string, signal: AbortSignal) {
  const page = await getPage('/rses', maxRses, undefined, { query: { expression }, signal });
  const rses = page.rows.map(({ rse }) => rse);
  const lists = await Promise.all(rses.map((rse) => getLines(target, { query: { src_rse: rse }, signal })));
  const ways = lists.flat().filter(({ dst_rse }) => rses.includes(dst_rse));
  const known = ways.map(({ src_rse, dst_rse, distance }) => [pair(src_rse, dst_rse), distance] as const);
  return { rses, ways, distances: new Map(known), isPart: page.next !== undefined };
}
