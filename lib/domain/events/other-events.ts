import { isDeepStrictEqual } from 'node:util';

import type { EventType } from '../../contract/schemas/event.ts';
import type { Account } from '../../store/entities/account.ts';
import type { Rse } from '../../store/entities/rse.ts';
import type { Scope } from '../../store/entities/scope.ts';
import type { Subscription } from '../../store/entities/subscription.ts';
import { describeRecord } from '../rses/describe-rse.ts';
import { describeProtocol } from '../rses/protocols/describe.ts';
import { describeSubscription } from '../subscriptions/describe-subscription.ts';
import type { EventDraft } from './draft.ts';

/** An entity as it was and as it is; undefined where it was not or is not there. */
interface Images<E> {
  readonly before?: E;
  readonly after?: E;
}

/** How events tell of one kind of entity. */
interface Telling<E> {
  readonly created: EventType;
  readonly updated: EventType;
  readonly deleted?: EventType;
  readonly subjectOf: (entity: E) => string;
  /** Everything that is told of an entity; what is not told makes no event either. */
  readonly describe: (entity: E) => Readonly<Record<string, unknown>>;
}

function teller<E>({ created, updated, deleted, subjectOf, describe }: Telling<E>) {
  return ({ before, after }: Images<E>): EventDraft[] => {
    const entity = after ?? before;
    if (entity === undefined) return [];
    const draft = (type: EventType) => ({ type, subject: subjectOf(entity), data: describe(entity) });
    if (after === undefined) return deleted === undefined ? [] : [draft(deleted)];
    if (before === undefined) return [draft(created)];
    return isDeepStrictEqual(describe(before), describe(after)) ? [] : [draft(updated)];
  };
}

/** An account was made, or what everybody may know of it has changed. */
export const eventsOfAccount = teller<Account>({
  created: 'CREATE_ACCOUNT',
  updated: 'UPDATE_ACCOUNT',
  subjectOf: ({ account }) => account,
  describe: ({ account, type, status, attributes }) => ({ account, type, status, attributes }),
});

/** A scope was made, or given to another account. */
export const eventsOfScope = teller<Scope>({
  created: 'CREATE_SCOPE',
  updated: 'UPDATE_SCOPE',
  subjectOf: ({ scope }) => scope,
  describe: ({ scope, account }) => ({ scope, account }),
});

/** A subscription was made, changed or deleted. */
export const eventsOfSubscription = teller<Subscription>({
  created: 'CREATE_SUBSCRIPTION',
  updated: 'UPDATE_SUBSCRIPTION',
  deleted: 'DELETE_SUBSCRIPTION',
  subjectOf: ({ account, name }) => `${account}/${name}`,
  describe: (subscription) => {
    // When it was last looked at is no change of it.
    const { last_processed: _processed, updated_at: _updated, ...record } = describeSubscription(subscription);
    return record;
  },
});

const eventsOfLiveRse = teller<Rse>({
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

/** An RSE was made, changed, or disabled, which is how one is deleted. */
export function eventsOfRse({ before, after }: Images<Rse>): EventDraft[] {
  const live = (rse: Rse | undefined) => (rse === undefined || rse.deletedAt !== undefined ? {} : { rse });
  const [{ rse: old }, { rse: present }] = [live(before), live(after)];
  return eventsOfLiveRse({
    ...(old === undefined ? {} : { before: old }),
    ...(present === undefined ? {} : { after: present }),
  });
}
