import { apiUrl, getJson } from '../../api/client.ts';
import { session } from '../../api/session.ts';
import { useLoad } from '../../load.ts';
import { Empty, Facts, PageHead, Pending, Section } from '../../ui/basics.tsx';
import { SameAs } from '../../ui/same-as.tsx';
import { Time } from '../../ui/values.tsx';
import { EventRate } from './event-rate.tsx';

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
