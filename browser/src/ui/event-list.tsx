import { useEffect, useRef, useState } from 'preact/hooks';

import { type CatalogueEvent, type EventsQuery, type EventsState, followEvents } from '../api/events.ts';
import { writeJson } from '../api/json.ts';
import { counted, splitDid } from '../format.ts';
import { Empty, Section } from './basics.tsx';
import { SameAs } from './same-as.tsx';
import { DidLink, Name, State, Time } from './values.tsx';

/** Events kept; older ones are dropped. */
const maxEvents = 200;

const stateWords: Readonly<Record<EventsState, readonly [state: string, label: string]>> = {
  connecting: ['QUEUED', 'connecting'],
  live: ['OK', 'live'],
  broken: ['WAITING', 'connecting again'],
};

/** Events as they happen, the newest first. */
export function EventList({ query, heading }: { query: EventsQuery; heading: string }) {
  const [events, setEvents] = useState<readonly CatalogueEvent[]>([]);
  const [state, setState] = useState<EventsState>('connecting');
  const [paused, setPaused] = useState(false);
  const stopped = useRef(false);
  stopped.current = paused;
  const key = JSON.stringify(query);
  useEffect(() => {
    setEvents([]);
    // Events may be delivered twice; the id of the envelope tells.
    return followEvents(query, {
      onEvent: (event) => {
        if (stopped.current) return;
        setEvents((before) =>
          before.some(({ id }) => id === event.id) ? before : [event, ...before].slice(0, maxEvents),
        );
      },
      onState: setState,
    });
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
      {events.length === 0 && (
        <Empty>Nothing has happened since you opened this. Events appear within two seconds.</Empty>
      )}
      {events.length > 0 && (
        <>
          <p class="hint">{counted(events.length, 'event')}, the newest first</p>
          <ol class="events">
            {events.map((event) => (
              <EventRow key={event.id} of={event} />
            ))}
          </ol>
        </>
      )}
      <SameAs curl={{ path: '/events', query }} />
    </Section>
  );
}

function EventRow({ of: event }: { of: CatalogueEvent }) {
  const did = splitDid(event.subject);
  return (
    <li class="event">
      <Time of={event.time} />
      <span class="name">{event.type}</span>
      <details>
        <summary>
          {did === undefined ? <Name>{event.subject}</Name> : <DidLink scope={did.scope} name={did.name} />}
        </summary>
        <pre>{writeJson(event.data, 2)}</pre>
      </details>
    </li>
  );
}
