import { useEffect, useState } from 'preact/hooks';

import { apiUrl, getJson } from '../../api/client.ts';
import { followEvents } from '../../api/events.ts';
import { session } from '../../api/session.ts';
import { counted, readDate } from '../../format.ts';
import { useLoad } from '../../load.ts';
import { Empty, Facts, PageHead, Pending, Section } from '../../ui/basics.tsx';
import { SameAs } from '../../ui/same-as.tsx';
import { Time } from '../../ui/values.tsx';

const minuteMs = 60_000;
const windowMinutes = 10;

/** How the service does, as far as its interface tells. */
export default function OperationsPage() {
  const { value, error, reload } = useLoad('ping', async (signal) => {
    const begin = performance.now();
    const { version } = await getJson('/ping', { signal });
    return { version, milliseconds: Math.round(performance.now() - begin) };
  });
  const present = session();
  return (
    <>
      <PageHead title="Operations" lead="What the interface itself tells about the service." />
      <Section
        heading="Service"
        aside={
          <button type="button" class="quiet" onClick={reload}>
            Measure again
          </button>
        }
      >
        <Pending of={{ value, error, reload }} />
        {value !== undefined && (
          <Facts
            of={[
              ['Version', value.version],
              ['Answers within', `${value.milliseconds} ms from here`],
              ['Address', <bdi class="name">{apiUrl('/')}</bdi>],
              [
                'Your session ends',
                present === undefined ? 'now' : <Time of={new Date(present.expires).toISOString()} relative />,
              ],
            ]}
          />
        )}
        <SameAs rucio="rucio ping" curl={{ path: '/ping' }} />
      </Section>
      <EventRate />
      <Heartbeats />
      <Section heading="Costs and alarms">
        <p>
          Units of the table, throttling, errors and the age of the stream are metrics of CloudWatch: the stack has a
          dashboard and alarms for them. What a search reads is shown beside its results.
        </p>
      </Section>
    </>
  );
}

/** Events of the last minutes, and how late they arrive. */
function EventRate() {
  const [times, setTimes] = useState<readonly number[]>([]);
  const [lag, setLag] = useState<number>();
  const [begun] = useState(Date.now());
  useEffect(
    () =>
      followEvents(
        { since: new Date(Date.now() - windowMinutes * minuteMs).toISOString() },
        {
          onEvent: ({ time }) => {
            const at = readDate(time)?.getTime() ?? 0;
            setTimes((before) => [...before, at].filter((one) => one > Date.now() - windowMinutes * minuteMs));
            if (at > begun) setLag(Date.now() - at);
          },
        },
      ),
    [],
  );
  const now = Date.now();
  const minutes = Array.from({ length: windowMinutes }, (_unused, i) => {
    const from = now - (windowMinutes - i) * minuteMs;
    return times.filter((time) => time > from && time <= from + minuteMs).length;
  });
  const most = Math.max(...minutes, 1);
  const last = minutes.at(-1) ?? 0;
  return (
    <Section heading="Events per minute">
      <svg
        class="plot"
        viewBox="0 0 400 80"
        role="img"
        aria-label={`Events in the last ${windowMinutes} minutes, by minute: ${minutes.join(', ')}`}
      >
        {minutes.map((count, i) => (
          <rect
            key={i}
            class="bar-part"
            x={i * 40 + 2}
            y={78 - (count / most) * 70}
            width={36}
            height={count === 0 ? 0 : (count / most) * 70 + 2}
            rx={2}
          />
        ))}
      </svg>
      <p class="hint" role="status">
        {counted(last, 'event')} in the last minute, {counted(times.length, 'event')} in {windowMinutes} minutes.
        {lag === undefined
          ? ' The delay is shown after the next change.'
          : ` The last change was announced ${(lag / 1000).toFixed(1)} s after its second.`}
      </p>
    </Section>
  );
}

const heartbeats = '/heartbeats';

/** Programs beside the service, such as movers. */
function Heartbeats() {
  const { value, error, reload } = useLoad(heartbeats, (signal) => getJson(heartbeats, { signal }));
  return (
    <Section heading="Programs beside the service">
      <Pending of={{ value, error, reload }} />
      {value?.length === 0 && <Empty>No mover or other program has sent a heartbeat within a day.</Empty>}
      {value !== undefined && value.length > 0 && (
        <ul class="plain-list">
          {value.map(({ readable, hostname, pid, updated_at }) => (
            <li key={`${readable} ${hostname} ${pid}`}>
              <bdi class="name">{readable}</bdi> on <bdi class="name">{hostname}</bdi>, process {pid}, alive{' '}
              <Time of={updated_at} relative />
            </li>
          ))}
        </ul>
      )}
      <SameAs curl={{ path: heartbeats }} />
    </Section>
  );
}
