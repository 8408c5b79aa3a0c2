import { getLines, getPage, path } from '../../api/client.ts';
import { humanBytes, localDate, readDate, shellWord } from '../../format.ts';
import { useLoad } from '../../load.ts';
import { Bar, Empty, Pending, Section } from '../../ui/basics.tsx';
import { axisEnd, Plot } from '../../ui/plot.tsx';
import { SameAs } from '../../ui/same-as.tsx';
import { Bytes, Count, Time } from '../../ui/values.tsx';
import { Gauge, type Point } from './gauge.tsx';

const historyRows = 300;

/** Usage of an RSE now, by source, and how it became so. */
export function RseUsage({ rse }: { rse: string }) {
  const target = path('/rses/:rse/usage', { rse });
  const { value, error, reload } = useLoad(target, (signal) => getLines(target, { signal }));
  const history = useHistory(rse);
  return (
    <Section heading="Usage">
      <Pending of={{ value, error, reload }} />
      {value !== undefined && <Gauge rse={rse} of={value} history={history ?? []} />}
      {value !== undefined && (
        <div class="table-frame">
          <table>
            <caption class="visually-hidden">Usage by the source that reports it</caption>
            <thead>
              <tr>
                <th scope="col">Source</th>
                <th scope="col">Used</th>
                <th scope="col" class="number">
                  Free
                </th>
                <th scope="col" class="number wide">
                  Files
                </th>
                <th scope="col" class="wide">
                  Reported
                </th>
              </tr>
            </thead>
            <tbody>
              {value.map((row) => (
                <tr key={row.source}>
                  <td>{row.source === 'rucio' ? 'this catalogue' : <bdi class="name">{row.source}</bdi>}</td>
                  <td>
                    <div class="barred">
                      <Bytes of={row.used} />
                      {row.free !== null && (
                        <Bar
                          share={Number(row.used ?? 0) / Number(row.total)}
                          label={`${humanBytes(row.used ?? 0)} of ${humanBytes(row.total)} used`}
                        />
                      )}
                    </div>
                  </td>
                  <td class="number">
                    <Bytes of={row.free} />
                  </td>
                  <td class="number wide">
                    <Count of={row.files} />
                  </td>
                  <td class="wide">
                    <Time of={row.updated_at} relative />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
          <p class="hint">Copies under way count in the catalogue as if they were there.</p>
        </div>
      )}
      {history !== undefined && <History of={history} />}
      <SameAs rucio={`rucio rse show ${shellWord(rse)}`} curl={{ path: target }} />
    </Section>
  );
}

/** Usage by time, the oldest first; undefined while it is not known. */
function useHistory(rse: string): Point[] | undefined {
  const target = path('/rses/:rse/usage/history', { rse });
  const { value } = useLoad(target, (signal) =>
    getPage(target, historyRows, undefined, { query: { source: 'rucio' }, signal }),
  );
  return value?.rows
    .map(({ updated_at: at, used }) => ({ time: readDate(at)?.getTime() ?? 0, used: Number(used) }))
    .toReversed();
}

function History({ of: points }: { of: readonly Point[] }) {
  if (points.length < 2) return <Empty>Usage is kept once an hour. The plot begins with the second hour.</Empty>;
  return <UsagePlot of={points} />;
}

/** Usage over time. It stays as it is until the next measurement, so the line has steps. */
function UsagePlot({ of: points }: { of: readonly Point[] }) {
  const first = points[0]?.time ?? 0;
  const last = points.at(-1)?.time ?? 1;
  const most = Math.max(...points.map(({ used }) => used), 1);
  const top = axisEnd(most);
  const now = points.at(-1)?.used ?? 0;
  return (
    <Plot
      label={`Usage from ${localDate(new Date(first))} to ${localDate(new Date(last))}: at most ${humanBytes(most)}, now ${humanBytes(now)}`}
      caption={`Bytes of replicas by time, at the last ${points.length} measurements`}
      ticks={{
        x: [
          [0, localDate(new Date(first))],
          [1, localDate(new Date(last))],
        ],
        y: [0, 0.5, 1].map((share) => [share, humanBytes(top * share)]),
      }}
      draw={({ left, width, top: above, height }) => {
        const x = (time: number) => left + ((time - first) / Math.max(last - first, 1)) * width;
        const y = (used: number) => above + height * (1 - used / top);
        const line = points
          .map(({ time, used }, i) => `${i === 0 ? 'M' : 'H'}${x(time)}${i === 0 ? ' ' : 'V'}${y(used)}`)
          .join('');
        return (
          <>
            <path class="area" d={`${line}V${y(0)}H${left}Z`} />
            <path class="line" d={line} />
          </>
        );
      }}
    />
  );
}
