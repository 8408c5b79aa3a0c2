import { isDeepStrictEqual } from 'node:util';

import type { EventType } from '../../contract/schemas/event.ts';
import type { Account } from '../../store/entities/account.ts';
import type { Rse } from '../../store/entities/rse.ts';
import type { Scope } from '../../store/entities/scope.ts';
import type { Subscription } from '../../store/entities/subscription.ts';
import { describeRecord } from '../rses/describe-rse.ts';
import { describeProtocol } from '../rses/protocols/describe-protocol.ts';
import { describeSubscription } from '../subscriptions/describe-subscription.ts';
import type { EventDraft } from './draft-event.ts';

/** An entity before and after a change; undefined where it does not exist. */
interface Images<E> {
  readonly before?: E;
  readonly after?: E;
}

/** The events of one kind of entity. */
interface EntityEvents<E> {
  readonly created: EventType;
  readonly updated: EventType;
  readonly deleted?: EventType;
  readonly subjectOf: (entity: E) => string;
  /** The data of its events. A change of anything else makes no event. */
  readonly describe: (entity: E) => Readonly<Record<string, unknown>>;
}

function makeEventsOf<E>({ created, updated, deleted, subjectOf, describe }: EntityEvents<E>) {
  return ({ before, after }: Images<E>): EventDraft[] => {
    const entity = after ?? before;
    if (entity === undefined) return [];
    const draft = (type: EventType) => ({ type, subject: subjectOf(entity), data: describe(entity) });
    if (after === undefined) return deleted === undefined ? [] : [draft(deleted)];
    if (before === undefined) return [draft(created)];
    return isDeepStrictEqual(describe(before), describe(after)) ? [] : [draft(updated)];
  };
}

/** An account was created, or a public attribute of it changed. */
export const eventsOfAccount = makeEventsOf<Account>({
  created: 'CREATE_ACCOUNT',
  updated: 'UPDATE_ACCOUNT',
  subjectOf: ({ account }) => account,
  describe: ({ account, type, status, attributes }) => ({ account, type, status, attributes }),
});

/** A scope was created, or given to another account. */
export const eventsOfScope = makeEventsOf<Scope>({
  created: 'CREATE_SCOPE',
  updated: 'UPDATE_SCOPE',
  subjectOf: ({ scope }) => scope,
  describe: ({ scope, account }) => ({ scope, account }),
});

/** A subscription was created, changed or deleted. */
export const eventsOfSubscription = makeEventsOf<Subscription>({
  created: 'CREATE_SUBSCRIPTION',
  updated: 'UPDATE_SUBSCRIPTION',
  deleted: 'DELETE_SUBSCRIPTION',
  subjectOf: ({ account, name }) => `${account}/${name}`,
  describe: (subscription) => {
    // The time of the last run is not a change.
    const { last_processed: _processed, updated_at: _updated, ...record } = describeSubscription(subscription);
    return record;
  },
});

const eventsOfLiveRse = makeEventsOf<Rse>({
  created: 'CREATE_RSE',
  updated: 'UPDATE_RSE',
  deleted: 'DELETE_RSE',
  subjectOf: ({ rse }) => rse,
  describe: (rse) => {
    const { id, updated_at: _updated, ...record } = describeRecord(rse);
    const { attributes, limits, qosPolicies: qos_policies } = rse;
    return { rse_id: id, ...record, attributes, limits, qos_policies, protocols: rse.protocols.map(describeProtocol) };
  },
});

/** An RSE was created, changed, or disabled. Disabling is Rucio's deletion. */
export function eventsOfRse({ before, after }: Images<Rse>): EventDraft[] {
  const live = (rse: Rse | undefined) => (rse === undefined || rse.deletedAt !== undefined ? {} : { rse });
  const [{ rse: old }, { rse: present }] = [live(before), live(after)];
  return eventsOfLiveRse({
    ...(old === undefined ? {} : { before: old }),
    ...(present === undefined ? {} : { after: present }),
  });
}
