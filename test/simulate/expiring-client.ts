import type { ClientRequest } from './client-request.ts';
import { type ExpiringAction, expiringScope, requestOfExpiring } from './expiring-dids.ts';
import type { Reply } from './fleet.ts';
import type { Random } from './random.ts';
import { type Row, rowsOf } from './rows.ts';
import { fitsRule, requestOfRuleChange } from './rule-changes.ts';

/** Sends a request as a client does. */
export type Send = (request: ClientRequest, random: Random) => Promise<Reply | undefined>;

interface FoundRule {
  readonly id: string;
  /** The name of its DID. */
  readonly name: string;
}

/** Carries out actions on DIDs with lifetimes. */
export class ExpiringClient {
  readonly #scope: string;
  readonly #send: Send;
  readonly #expireDids: () => Promise<void>;

  /**
   * @param scope The scope of the files that it shares with the model.
   * @param expireDids Runs the job that deletes what has expired.
   */
  constructor(scope: string, send: Send, expireDids: () => Promise<void>) {
    this.#scope = scope;
    this.#send = send;
    this.#expireDids = expireDids;
  }

  /** The reply to the action; undefined if none came, or nothing was requested. */
  async act(action: ExpiringAction, random: Random): Promise<Reply | undefined> {
    switch (action.kind) {
      case 'delete expired':
        await this.#expireDids();
        return undefined;
      case 'rerule': {
        const rule = await findRule(this.#send, { scope: expiringScope, name: action.name }, random, (found) =>
          fitsRule(found, action.change),
        );
        return rule === undefined ? undefined : this.#send(requestOfRuleChange(rule.id, action.change), random);
      }
      default:
        return this.#send(requestOfExpiring(this.#scope, action), random);
    }
  }
}

/** A rule of a DID, or another one in its scope if it has none. */
export async function findRule(
  send: Send,
  { scope, name }: { readonly scope: string; readonly name: string },
  random: Random,
  fits: (rule: Row) => boolean = () => true,
): Promise<FoundRule | undefined> {
  const reply = await send({ method: 'GET', path: `/rules/?scope=${scope}` }, random.fork('list'));
  const rules = reply?.status === 200 ? rowsOf(reply).filter(fits) : [];
  const rule = rules.find((one) => one['name'] === name) ?? (rules.length > 0 ? random.pick(rules) : undefined);
  return rule === undefined ? undefined : { id: String(rule['id']), name: String(rule['name']) };
}
