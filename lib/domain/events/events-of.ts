import type { CatalogueEvent } from '../../contract/schemas/event.ts';
import { mapLimited } from '../../parallel.ts';
import type { Table } from '../../store/batches/table.ts';
import type { ChangeOf, TableChange } from '../../store/stream/change.ts';
import { eventsOfDid } from './did-events.ts';
import { type EventDraft, toEvents } from './draft.ts';
import { eventsOfEdge } from './edge-events.ts';
import { type Facts, gatherFacts } from './facts.ts';
import { notificationsOfClosing, notificationsOfRule } from './notifications.ts';
import { eventsOfAccount, eventsOfRse, eventsOfScope, eventsOfSubscription } from './other-events.ts';
import { eventsOfTransfer } from './replica-events.ts';
import { eventsOfDatasetLock, eventsOfRule } from './rule-events.ts';

/** The kinds of changes that there are events of. */
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

/** Changes whose look-ups run at once. */
const parallel = 8;

/** The events that committed changes are, in the order of the changes (docs/adr/0012-events.md). */
export async function eventsOf(table: Table, changes: readonly TableChange[]): Promise<CatalogueEvent[]> {
  const announced = changes.filter(isAnnounced);
  const facts = await gatherFacts(table, announced);
  const events = await mapLimited(announced, parallel, async (change) => [
    ...toEvents(change, draftsOf(change, facts)),
    ...toEvents(change, await notificationsOf(table, change, facts)),
  ]);
  return events.flat();
}

/** What a change says by itself. */
function draftsOf(change: AnnouncedChange, facts: Facts): EventDraft[] {
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

/** What follows from a change for those who have asked to be told. */
async function notificationsOf(table: Table, change: AnnouncedChange, facts: Facts): Promise<EventDraft[]> {
  if (change.kind === 'rule') return notificationsOfRule(table, change, facts);
  return change.kind === 'did' ? notificationsOfClosing(table, change, facts) : [];
}
