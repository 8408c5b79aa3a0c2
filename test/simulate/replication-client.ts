import type { Deployment } from './deployment.ts';
import { findRule, type Send } from './expiring-client.ts';
import { didOf } from './expiring-dids.ts';
import type { Reply } from './fleet.ts';
import { rses, ruleRses } from './names.ts';
import { allow, prepareReplication } from './preparation.ts';
import type { Random } from './random.ts';
import {
  abilities,
  lastingSubscription,
  marking,
  otherAccount,
  type ReplicationAction,
  requestOfReplication,
} from './replication-actions.ts';
import { fitsRule, requestOfRuleChange } from './rule-changes.ts';
import type { RuleLedger } from './rule-ledger.ts';

/** Runs of the reaper after the last action, and the time between them: longer than it leaves a storage alone. */
const [reaperRuns, restMs] = [3, 25 * 60_000];

/** Carries out actions on rules and replicas. */
export class ReplicationClient {
  readonly #scope: string;
  readonly #send: Send;
  readonly #ledger: RuleLedger;
  readonly #deployment: Deployment;
  #prepared: Promise<void> | undefined;

  constructor(scope: string, send: Send, ledger: RuleLedger, deployment: Deployment) {
    this.#scope = scope;
    this.#send = send;
    this.#ledger = ledger;
    this.#deployment = deployment;
  }

  /** Lets the reaper finish, lifts the quotas, and unblocks the RSEs: rules wait for replicas whose deletion a storage has refused, and for space. */
  async settle(): Promise<void> {
    if (this.#prepared === undefined) return;
    this.#deployment.storage.mayRefuse = false;
    for (const account of ['root', otherAccount]) {
      for (const rse of rses) await allow(this.#deployment, account, rse);
    }
    for (const rse of ruleRses) {
      const body = Object.fromEntries(abilities.map((ability) => [ability, true]));
      await this.#deployment.requestSuccess({ method: 'PUT', path: `/rses/${rse}`, body });
      await this.#deployment.requestAny({ method: 'POST', path: `/rses/${rse}/attr/${marking}`, body: { value: 1 } });
    }
    for (let run = 0; run < reaperRuns; run += 1) {
      await this.#deployment.runJob('free-space');
      await this.#deployment.advance(restMs);
    }
  }

  /** The reply to the action; undefined if none came, or nothing was requested. */
  async act(action: ReplicationAction, random: Random): Promise<Reply | undefined> {
    await (this.#prepared ??= prepareReplication(this.#deployment));
    if (action.kind === 'reap' || action.kind === 'recount') {
      await this.#deployment.runJob(action.kind === 'reap' ? 'free-space' : 'recount-usage');
      return undefined;
    }
    const claims = action.kind === 'good' || (action.kind === 'register' && action.state === 'A');
    if (claims) {
      for (const name of action.files) {
        this.#deployment.storage.claim({ rse: action.rse, ...didOf(this.#scope, name) });
      }
    }
    if (action.kind !== 'rerule') {
      const { scheduler } = this.#deployment;
      const reply = await this.#send(requestOfReplication(this.#scope, action, scheduler.now), random);
      const subscribes = action.kind === 'subscribe' && action.name === lastingSubscription && reply?.status === 201;
      if (subscribes) this.#ledger.subscribedAt = scheduler.now;
      return reply;
    }
    const did = didOf(this.#scope, action.name);
    const rule = await findRule(this.#send, did, random, (found) => fitsRule(found, action.change));
    if (rule === undefined) return undefined;
    // Other requests may be under way, so that only the first writer knows what became of the rule.
    this.#ledger.forget(rule.id);
    return this.#send(requestOfRuleChange(rule.id, action.change), random);
  }
}
