import { useEffect, useRef, useState } from 'preact/hooks';

import { type EventsQuery, type EventsState, followEvents } from '../api/events.ts';
import { writeJson } from '../api/json.ts';
import { counted, exactInteger, splitDid } from '../format.ts';
import { Empty, Section } from './basics.tsx';
import { collectEvents, type Repeated } from './collect-events.ts';
import { SameAs } from './same-as.tsx';
import { Clock, DidLink, Name, State } from './values.tsx';

const stateWords: Readonly<Record<EventsState, readonly [state: string, label: string]>> = {
  connecting: ['QUEUED', 'connecting'],
  live: ['OK', 'live'],
  broken: ['WAITING', 'connecting again'],
};

/** Events as they happen, the newest first. */
export function EventList({ query, heading }: { query: EventsQuery; heading: string }) {
  const [shown, setShown] = useState<readonly Repeated[]>([]);
  const [state, setState] = useState<EventsState>('connecting');
  const [paused, setPaused] = useState(false);
  const stopped = useRef(false);
  stopped.current = paused;
  const key = JSON.stringify(query);
  useEffect(() => {
    setShown([]);
    const collected = collectEvents(setShown);
    const end = followEvents(query, {
      onEvents: (events) => {
        if (!stopped.current) collected.add(events);
      },
      onState: setState,
    });
    return () => {
      end();
      collected.stop();
    };
  }, [key]);
  return (
    <Section
      heading={heading}
      aside={
        <div class="actions">
          <State of={stateWords[state][0]} label={stateWords[state][1]} />
          <button type="button" class="quiet" aria-pressed={paused} onClick={() => setPaused(!paused)}>
            {paused ? 'Go on' : 'Pause'}
          </button>
        </div>
      }
    >
      {shown.length === 0 && (
        <Empty>Nothing has happened since you opened this. Events appear within two seconds.</Empty>
      )}
      {shown.length > 0 && (
        <>
          <p class="hint">
            {counted(
              shown.reduce((sum, { count }) => sum + count, 0),
              'event',
            )}
            , the newest first; what repeats is folded
          </p>
          <ol class="events">
            {shown.map((repeated) => (
              <EventRow key={repeated.firstId} of={repeated} />
            ))}
          </ol>
        </>
      )}
      <SameAs curl={{ path: '/events', query }} />
    </Section>
  );
}

function EventRow({ of: { latest: event, count } }: { of: Repeated }) {
  const did = splitDid(event.subject);
  return (
    <li class="event">
      <Clock of={event.time} />
      <span class="name">
        {event.type}
        {count > 1 && <strong> × {exactInteger(count)}</strong>}
      </span>
      <div>
        {count > 1 && 'the last: '}
        {did === undefined ? <Name>{event.subject}</Name> : <DidLink scope={did.scope} name={did.name} />}
        <details>
          <summary>Content</summary>
          <pre>{writeJson(event.data, 2)}</pre>
        </details>
      </div>
    </li>
  );
}
