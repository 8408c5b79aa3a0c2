import type { CatalogueEvent } from '../../contract/schemas/event.ts';
import { forEachLimited } from '../../parallel.ts';
import type { Table } from '../../store/batches/table.ts';
import type { ChangeOf, TableChange } from '../../store/stream/change.ts';
import { eventsOfDid } from './did-events.ts';
import { type EventDraft, toEvents } from './draft-event.ts';
import { eventsOfEdge } from './edge-events.ts';
import { eventsOfAccount, eventsOfRse, eventsOfScope, eventsOfSubscription } from './entity-events.ts';
import { type EventFacts, readEventFacts } from './event-facts.ts';
import { notificationsOfClosing, notificationsOfRule } from './notifications.ts';
import { eventsOfTransfer } from './replica-events.ts';
import { eventsOfDatasetLock, eventsOfRule } from './rule-events.ts';

/** The kinds of changes that cause events. */
export const announcedKinds = [
  'did',
  'edge',
  'rule',
  'datasetLock',
  'transfer',
  'account',
  'scope',
  'rse',
  'subscription',
] as const satisfies readonly TableChange['kind'][];

type AnnouncedChange = ChangeOf<(typeof announcedKinds)[number]>;

const isAnnounced = (change: TableChange): change is AnnouncedChange =>
  (announcedKinds as readonly string[]).includes(change.kind);

const maxParallelLookups = 8;

/** The events of committed changes, in the order of the changes (docs/adr/0012-events.md). */
export async function eventsOf(table: Table, changes: readonly TableChange[]): Promise<CatalogueEvent[]> {
  const announced = changes.filter(isAnnounced);
  const facts = await readEventFacts(table, announced);
  const notifications = new Map<AnnouncedChange, EventDraft[]>();
  await forEachLimited(announced.filter(mayNotify), maxParallelLookups, async (change) => {
    notifications.set(change, await notificationsOf(table, change, facts));
  });
  return announced.flatMap((change) =>
    toEvents(change, draftsOf(change, facts)).concat(toEvents(change, notifications.get(change) ?? [])),
  );
}

/** The events that every change of its kind causes. */
function draftsOf(change: AnnouncedChange, facts: EventFacts): EventDraft[] {
  switch (change.kind) {
    case 'did':
      return eventsOfDid(change, facts);
    case 'edge':
      return eventsOfEdge(change, facts);
    case 'rule':
      return eventsOfRule(change);
    case 'datasetLock':
      return eventsOfDatasetLock(change, facts);
    case 'transfer':
      return eventsOfTransfer(change, facts);
    case 'account':
      return eventsOfAccount(change);
    case 'scope':
      return eventsOfScope(change);
    case 'rse':
      return eventsOfRse(change);
    case 'subscription':
      return eventsOfSubscription(change);
  }
}

type NotifiedChange = ChangeOf<'rule' | 'did'>;

/** Whether rules may ask for notifications of a change. */
const mayNotify = (change: AnnouncedChange): change is NotifiedChange =>
  change.kind === 'rule' || (change.kind === 'did' && change.after?.type !== 'FILE');

/** The notifications that rules ask for. */
function notificationsOf(table: Table, change: NotifiedChange, facts: EventFacts): Promise<EventDraft[]> {
  return change.kind === 'rule'
    ? notificationsOfRule(table, change, facts)
    : notificationsOfClosing(table, change, facts);
}
