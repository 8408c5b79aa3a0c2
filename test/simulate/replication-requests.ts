/** The requests that carry out what clients do with rules and replicas. */
import type { ClientRequest } from './client-request.ts';
import { describeFile } from './content.ts';
import { didOf, expiringScope } from './expiring-dids.ts';
import { changingSubscription, type JobKind, marking, type ReplicationAction } from './replication-actions.ts';
import { pfnOf } from './storage.ts';

/**
 * The request that carries out an action.
 *
 * @param now The time of the client, in milliseconds since 1970.
 */
export function requestOfReplication(
  scope: string,
  action: Exclude<ReplicationAction, { kind: 'rerule' | 'stray' | JobKind }>,
  now: number,
): ClientRequest {
  const did = (name: string) => didOf(scope, name);
  switch (action.kind) {
    case 'spread':
      return { method: 'POST', path: '/rules/', body: { dids: [did(action.name)], ...action.wish } };
    case 'bad':
    case 'rot':
      return {
        method: 'POST',
        path: '/replicas/bad/dids',
        body: { dids: action.files.map(did), rse: action.rse, reason: 'simulated' },
      };
    case 'suspect': {
      const pfns = action.files.map((name) => pfnOf(action.rse, did(name)));
      return { method: 'POST', path: '/replicas/suspicious', body: { pfns, reason: 'simulated' } };
    }
    case 'lack': {
      const pfns = action.files.map((name) => pfnOf(action.rse, did(name)));
      // Without the Z.
      const expiresAt = new Date(now + action.milliseconds).toISOString().slice(0, -1);
      const body = { pfns, reason: 'simulated', state: 'TEMPORARY_UNAVAILABLE', expires_at: expiresAt };
      return { method: 'POST', path: '/replicas/bad/pfns', body };
    }
    case 'state': {
      const files = action.files.map((name) => ({ ...did(name), state: action.state }));
      return { method: 'PUT', path: '/replicas', body: { rse: action.rse, files } };
    }
    case 'good': {
      const states = action.files.map((name) => ({ ...did(name), state: 'A' }));
      return { method: 'PUT', path: '/replicas', body: { rse: action.rse, files: states } };
    }
    case 'register': {
      const { rse, state } = action;
      const replicas = action.files.map((name) => ({ ...did(name), ...describeFile(did(name)), state }));
      return { method: 'POST', path: '/replicas', body: { rse, files: replicas, ignore_availability: true } };
    }
    case 'release': {
      const replicas = action.files.map((name) => ({ ...did(name), rse: action.rse }));
      return { method: 'POST', path: '/replicas/tombstone', body: { replicas } };
    }
    case 'delete':
      return { method: 'DELETE', path: '/replicas', body: { rse: action.rse, files: action.files.map(did) } };
    case 'limit':
      return {
        method: 'POST',
        path: `/accounts/${action.account}/limits/local/${action.rse}`,
        body: { bytes: action.bytes },
      };
    case 'block':
      return { method: 'PUT', path: `/rses/${action.rse}`, body: action.settings };
    case 'mark': {
      const path = `/rses/${action.rse}/attr/${marking}`;
      return action.isMarked ? { method: 'POST', path, body: { value: 1 } } : { method: 'DELETE', path };
    }
    case 'subscribe': {
      const options = {
        filter: { scope: [scope, expiringScope], did_type: ['DATASET'] },
        replication_rules: replicationRules(action.rse),
        comments: '',
        lifetime: null,
        retroactive: action.isRetroactive,
        dry_run: false,
      };
      return { method: 'POST', path: `/subscriptions/root/${action.name}`, body: { options } };
    }
    case 'resubscribe': {
      const options = {
        replication_rules: replicationRules(action.rse),
        state: action.isActive ? 'A' : 'I',
      };
      return { method: 'PUT', path: `/subscriptions/root/${changingSubscription}`, body: { options } };
    }
  }
}

const replicationRules = (rse: string) => [{ rse_expression: rse, copies: 1, activity: 'User Subscriptions' }];
