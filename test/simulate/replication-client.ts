import type { Deployment } from './deployment.ts';
import { findRule, type Send } from './expiring-client.ts';
import { didOf } from './expiring-dids.ts';
import type { Reply } from './fleet.ts';
import { rses, ruleRses } from './names.ts';
import { allow, prepareReplication } from './preparation.ts';
import type { Random } from './random.ts';
import {
  abilities,
  jobsOfKind,
  lastingSubscription,
  marking,
  otherAccount,
  type ReplicationAction,
} from './replication-actions.ts';
import { requestOfReplication } from './replication-requests.ts';
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
      this.#deployment.watch.noteSwitch(rse, true);
      const body = Object.fromEntries(abilities.map((ability) => [ability, true]));
      await this.#deployment.requestSuccess({ method: 'PUT', path: `/rses/${rse}`, body });
      await this.#deployment.requestAny({ method: 'POST', path: `/rses/${rse}/attr/${marking}`, body: { value: 1 } });
    }
    for (let run = 0; run < reaperRuns; run += 1) {
      await this.#deployment.runJob('free-space');
      await this.#deployment.advance(restMs);
    }
  }

  /** Prepares accounts and RSEs, once. */
  async prepare(): Promise<void> {
    await (this.#prepared ??= prepareReplication(this.#deployment));
  }

  /** The reply to the action; undefined if none came, or nothing was requested. */
  async act(action: ReplicationAction, random: Random): Promise<Reply | undefined> {
    await this.prepare();
    if (action.kind === 'reap' || action.kind === 'copy' || action.kind === 'recount') {
      await this.#deployment.runJob(jobsOfKind[action.kind]);
      return undefined;
    }
    if (action.kind === 'rot' || action.kind === 'stray') {
      for (const name of action.files) this.#deployment.storage[action.kind](action.rse, didOf(this.#scope, name));
      if (action.kind === 'stray' || random.chance(0.2)) return undefined;
    }
    const states = action.kind === 'register' || action.kind === 'state';
    const claims = action.kind === 'good' || (states && action.state === 'A');
    if (claims) {
      for (const name of action.files) {
        this.#deployment.watch.upload(action.rse, didOf(this.#scope, name));
      }
    }
    if (action.kind !== 'rerule') {
      const { scheduler, watch } = this.#deployment;
      const deletes = action.kind === 'block' ? action.settings['availability_delete'] : undefined;
      if (action.kind === 'block' && deletes === true) watch.noteSwitch(action.rse, true);
      const reply = await this.#send(requestOfReplication(this.#scope, action, scheduler.now), random);
      if (action.kind === 'block' && deletes === false && reply?.status === 200) watch.noteSwitch(action.rse, false);
      const declares = action.kind === 'rot' || action.kind === 'bad' || (states && /^(D|BAD)$/.test(action.state));
      if (declares && reply !== undefined && reply.status < 300) {
        const isRefused = (name: string) => reply.text.includes(`${this.#scope}:${name} Already declared`);
        watch.noteDeclared(
          action.rse,
          action.files.filter((name) => !isRefused(name)).map((name) => didOf(this.#scope, name)),
        );
      }
      const subscribes = action.kind === 'subscribe' && action.name === lastingSubscription && reply?.status === 201;
      if (subscribes) this.#ledger.subscribedAt = scheduler.now;
      return reply;
    }
    const did = didOf(this.#scope, action.name);
    const rule = await findRule(this.#send, did, random, (found) => fitsRule(found, action.change));
    if (rule === undefined) return undefined;
    // Other requests may be under way, so that only the first writer knows what became of the rule.
    this.#ledger.forget(rule.id);
    const { options = {} } = action.change as { readonly options?: Readonly<Record<string, unknown>> };
    if (options['state'] === 'SUSPENDED') this.#ledger.suspended.add(rule.id);
    return this.#send(requestOfRuleChange(rule.id, action.change), random);
  }
}
