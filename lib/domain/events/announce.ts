import type { CatalogueEvent } from '../../contract/schemas/event.ts';
import { env } from '../../env.ts';
import { RucioError } from '../../errors.ts';
import { toJson } from '../../json.ts';
import { log } from '../../log.ts';
import { countMetric } from '../../metric.ts';
import { mapLimited } from '../../parallel.ts';
import { appendEvents, entriesOf, fitsIntoLog } from '../../store/entities/event.ts';
import { type EventBus, longestBusEvent, openEventBus } from '../../store/event-bus.ts';
import { LostRace } from '../../store/items/plan.ts';
import type { Store } from '../../store/open-store.ts';
import { readOption } from '../config/options.ts';
import type { Reaction } from '../values/reaction.ts';
import { announcedKinds, eventsOf } from './events-of.ts';

/** Large events that are packed at once, to see whether they fit. */
const packedAtOnce = 4;

/** How long a writer of the log waits for its turn, in milliseconds: less than a function lives. */
const longestTurn = 180_000;

/** The bus of this deployment, while the process lives; undefined where there is none. */
let deployed: EventBus | undefined;

function ownBus(): EventBus | undefined {
  if (env.eventBusName !== undefined) deployed ??= openEventBus(env.eventBusName);
  return deployed;
}

/**
 * The reaction that tells everybody what has changed: it hands events to the event bus, where there is one, and enters them
 * in the log that `GET /events` reads. What is told again has the ids that it had (docs/adr/0012-events.md).
 *
 * @param findBus Called for each batch.
 */
export function announceTo(findBus: () => EventBus | undefined): Reaction {
  return {
    name: 'announce',
    kinds: announcedKinds,
    async run({ store }, changes) {
      const events = await eventsOf(store.table.latest(), changes);
      if (events.length === 0) return;
      // The bus first: while it takes nothing, the batch comes again, and the log would hold it each time.
      await findBus()?.(events.map(toBusEvent));
      const kept = (await readOption(store.table, 'events', 'kept_hours')) * 3_600_000;
      for (const texts of entriesOf(await mapLimited(events, packedAtOnce, toLoggedText))) {
        await append(store, texts, kept);
      }
    },
  };
}

/** Announces changes to the bus of this deployment and in the log. */
export const announce = announceTo(ownBus);

/**
 * Adds an entry to the log. All writers of the log meet at one item: where there are more of them than it takes, each waits
 * for its turn, and meanwhile gathers more changes for its next entry. Giving up would have the whole batch followed again.
 *
 * @throws DatabaseException (503) when its turn does not come for minutes; whatever else the table says, at once.
 */
async function append(store: Store, texts: readonly string[], kept: number): Promise<void> {
  for (const began = Date.now(); ;) {
    try {
      await store.write((latest) => appendEvents(latest, texts, kept));
      return;
    } catch (error) {
      const isCrowded = error instanceof RucioError && error.cause instanceof LostRace;
      if (!isCrowded || Date.now() - began > longestTurn) throw error;
    }
  }
}

/** An event as it lies in the log; one that does not fit says only what it is about. */
async function toLoggedText(event: CatalogueEvent): Promise<string> {
  const text = toJson(event);
  if (await fitsIntoLog(text)) return text;
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
  if (Buffer.byteLength(text) <= longestBusEvent) return { ...base, text };
  // Nothing that is larger gets onto a bus. The envelope says what to look up.
  const { data: _data, ...envelope } = event;
  log.warn('an event is too large for the event bus: its data is left out', {
    id: event.id,
    type,
    ...countMetric('EventsShortened'),
  });
  return { ...base, text: toJson(envelope) };
}
