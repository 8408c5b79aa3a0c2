import type { ClientRequest } from './client-request.ts';
import { type ExpiringAction, expiringScope, requestOfExpiring } from './expiring-dids.ts';
import type { Reply } from './fleet.ts';
import type { Random } from './random.ts';
import { rowsOf } from './rows.ts';
import { requestOfRuleChange } from './rule-changes.ts';

/** Sends a request as a client does. */
export type Send = (request: ClientRequest, random: Random) => Promise<Reply | undefined>;

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
        const rule = await findRule(this.#send, expiringScope, action.name, random);
        return rule === undefined ? undefined : this.#send(requestOfRuleChange(rule, action.change), random);
      }
      default:
        return this.#send(requestOfExpiring(this.#scope, action), random);
    }
  }
}

/** The id of a rule of a DID. */
export async function findRule(send: Send, scope: string, name: string, random: Random): Promise<string | undefined> {
  const reply = await send({ method: 'GET', path: `/dids/${scope}/${name}/rules` }, random.fork('list'));
  const [rule] = reply?.status === 200 ? rowsOf(reply) : [];
  return rule === undefined ? undefined : String(rule['id']);
}
