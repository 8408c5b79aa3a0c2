import { findRule, type Send } from './expiring-client.ts';
import type { Reply } from './fleet.ts';
import type { Random } from './random.ts';
import { didOf, type ReplicationAction, requestOfReplication, requestOfRuleChange } from './replication-actions.ts';
import type { RuleLedger } from './rule-ledger.ts';

/** Carries out actions on rules and replicas. */
export class ReplicationClient {
  readonly #scope: string;
  readonly #send: Send;
  readonly #ledger: RuleLedger;
  readonly #prepare: () => Promise<void>;
  #prepared: Promise<void> | undefined;

  /** @param prepare Creates what the actions need beside the catalogue of every history. */
  constructor(scope: string, send: Send, ledger: RuleLedger, prepare: () => Promise<void>) {
    this.#scope = scope;
    this.#send = send;
    this.#ledger = ledger;
    this.#prepare = prepare;
  }

  /** The reply to the action; undefined if none came, or nothing was requested. */
  async act(action: ReplicationAction, random: Random): Promise<Reply | undefined> {
    await (this.#prepared ??= this.#prepare());
    if (action.kind !== 'rerule') return this.#send(requestOfReplication(this.#scope, action), random);
    const { scope, name } = didOf(this.#scope, action.name);
    const rule = await findRule(this.#send, scope, name, random);
    if (rule === undefined) return undefined;
    // Other requests may be under way, so that only the first writer knows what became of the rule.
    this.#ledger.forget(rule);
    return this.#send(requestOfRuleChange(rule, action.change), random);
  }
}
