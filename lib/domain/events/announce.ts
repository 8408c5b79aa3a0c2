import { clock } from '../../clock.ts';
import type { CatalogueEvent } from '../../contract/schemas/event.ts';
import { env } from '../../env.ts';
import { toJson } from '../../json.ts';
import { log } from '../../log.ts';
import { countMetric } from '../../metric.ts';
import type { Table } from '../../store/batches/table.ts';
import { appendEntry, fitsIntoLog, packEntry, splitIntoEntries } from '../../store/entities/event.ts';
import { type EventBus, maxBusEventBytes, openEventBus } from '../../store/event-bus.ts';
import { isContention } from '../../store/items/plan.ts';
import type { Store } from '../../store/open-store.ts';
import { readOption } from '../config/read-option.ts';
import type { Reaction } from '../values/reaction.ts';
import { announcedKinds, eventsOf } from './events-of.ts';

/** How long a writer retries to append to the log: less than the timeout of the function. */
const appendTimeoutMs = 180_000;

/** A writer that has met as many others as this, one after the other, lets the log have more lanes. */
const attemptsBeforeWidening = 4;

/** The event bus of this deployment; undefined where there is none. */
let deployed: EventBus | undefined;

function ownBus(): EventBus | undefined {
  if (env.eventBusName !== undefined) deployed ??= openEventBus(env.eventBusName);
  return deployed;
}

/**
 * The reaction that publishes changes: it sends events to the event bus, if there is one, and appends them to the log that
 * `GET /events` reads. Delivery is at least once; a repeated event has the same id (docs/adr/0012-events.md).
 *
 * @param findBus Called for each batch.
 */
export function makeAnnouncer(findBus: () => EventBus | undefined): Reaction {
  return {
    name: 'announce',
    kinds: announcedKinds,
    async run({ store }, changes) {
      const events = await eventsOf(store.table.latest(), changes);
      if (events.length === 0) return;
      // The bus first: while it fails, the batch is retried, and each retry would append to the log again.
      await findBus()?.(events.map(toBusEvent));
      const kept = (await readOption(store.table, 'events', 'kept_hours')) * 3_600_000;
      for (const texts of splitIntoEntries(events.map(toLoggedText))) {
        await append(store, packEntry(texts), kept);
      }
    },
  };
}

/** Announces changes to the bus of this deployment and in the log. */
export const announce = makeAnnouncer(ownBus);

/**
 * Appends an entry to the log. Writers of a lane conflict on its head: one that has lost some races doubles the number of lanes.
 * Giving up would repeat the whole batch.
 *
 * @throws DatabaseException (503) after minutes of conflicts; other errors of the table at once.
 */
async function append(store: Store, packed: Uint8Array, lifetimeMs: number): Promise<void> {
  let attempts = 0;
  const plan = async (latest: Table) => {
    attempts += 1;
    return appendEntry(latest, packed, { lifetimeMs, widens: attempts % attemptsBeforeWidening === 0 });
  };
  for (const began = clock.now(); ;) {
    try {
      await store.write(plan);
      return;
    } catch (error) {
      if (!isContention(error) || clock.now() - began > appendTimeoutMs) throw error;
    }
  }
}

/** The text of an event in the log; without its data, except scope and name, when it does not fit. */
function toLoggedText(event: CatalogueEvent): string {
  const text = toJson(event);
  if (fitsIntoLog(text)) return text;
  const { id, type, data } = event;
  log.warn('an event is too large for the log of events: its data is left out', {
    id,
    type,
    ...countMetric('EventsShortened'),
  });
  const named = Object.entries(data).filter(([key]) => key === 'scope' || key === 'name');
  return toJson({ ...event, data: Object.fromEntries(named) });
}

function toBusEvent(event: CatalogueEvent) {
  const { type, time } = event;
  const text = toJson(event);
  const base = { type, time: Date.parse(time) };
  if (Buffer.byteLength(text) <= maxBusEventBytes) return { ...base, text };
  // The bus refuses larger events. The envelope says what to look up.
  const { data: _data, ...envelope } = event;
  log.warn('an event is too large for the event bus: its data is left out', {
    id: event.id,
    type,
    ...countMetric('EventsShortened'),
  });
  return { ...base, text: toJson(envelope) };
}
