import { getLines, getPage } from '../../api/client.ts';
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
            From the RSE of the row to the RSE of the column; the smallest is the nearest. A way without a number comes
            last.
            {value.isPart && ` These are the first ${counted(maxRses, 'RSE')}: narrow the expression to see others.`}
          </p>
          <div class="table-frame" tabIndex={0} role="group" aria-label="Distances between RSEs">
            <table>
              <caption class="visually-hidden">The distance from each RSE to each other</caption>
              <thead>
                <tr>
                  <th scope="col">From</th>
                  {value.rses.map((rse) => (
                    <th key={rse} scope="col" class="number">
                      <RseLink rse={rse} />
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {value.rses.map((from) => (
                  <tr key={from}>
                    <th scope="row">
                      <RseLink rse={from} />
                    </th>
                    {value.rses.map((to) => (
                      <td key={to} class="number">
                        {value.distances.get(pair(from, to)) ?? <span class="absent">–</span>}
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </>
      )}
      <SameAs curl={{ path: target, query: { src_rse: value?.rses[0] ?? 'RSE' } }} />
    </Section>
  );
}

/** RSE names have no spaces. */
const pair = (from: string, to: string) => `${from} ${to}`;

async function loadMatrix(expression: string, signal: AbortSignal) {
  const page = await getPage('/rses', maxRses, undefined, { query: { expression }, signal });
  const rses = page.rows.map(({ rse }) => rse);
  const lists = await Promise.all(rses.map((rse) => getLines(target, { query: { src_rse: rse }, signal })));
  const known = lists.flat().map(({ src_rse, dst_rse, distance }) => [pair(src_rse, dst_rse), distance] as const);
  return { rses, distances: new Map(known), isPart: page.next !== undefined };
}
