import type { Deployment } from './deployment.ts';
import type { Send } from './expiring-client.ts';
import type { Reply } from './fleet.ts';
import { passingRse } from './names.ts';
import { type OperatorAction, requestsOfOperator } from './operator-actions.ts';
import type { Random } from './random.ts';
import { rowsOf } from './rows.ts';

/** Carries out actions of operators. */
export class OperatorClient {
  readonly #scope: string;
  readonly #send: Send;
  readonly #deployment: Deployment;
  readonly #prepare: () => Promise<void>;
  #hasActed = false;

  /** @param prepare Prepares what actions on rules and replicas need. */
  constructor(scope: string, send: Send, deployment: Deployment, prepare: () => Promise<void>) {
    this.#scope = scope;
    this.#send = send;
    this.#deployment = deployment;
    this.#prepare = prepare;
  }

  /** The first reply that is none of a success, or else the last one; undefined: one did not come. */
  async act(action: OperatorAction, random: Random): Promise<Reply | undefined> {
    if (action.kind === 'restore') {
      await this.#deployment.restore(action.backup);
      return undefined;
    }
    await this.#prepare();
    this.#hasActed = true;
    if (action.kind === 'vacate') await this.#removeRules(random.fork('rules'));
    let reply: Reply | undefined;
    for (const [index, requests] of requestsOfOperator(this.#scope, action).entries()) {
      const sent = requests.map(async (request, at) => {
        const own = random.fork(`request ${index} ${at}`);
        await this.#deployment.scheduler.sleep(own.between(0, 40));
        return this.#send(request, own);
      });
      const replies = await Promise.all(sent);
      reply = replies.find((one) => one === undefined || one.status >= 300) ?? replies.at(-1);
      if (reply === undefined || reply.status >= 300) return reply;
    }
    return reply;
  }

  /** Finds what must not be there at the end. */
  async findFlaws(scopes: readonly string[]): Promise<string[]> {
    if (!this.#hasActed) return [];
    return this.#deployment.withoutFaults((service) => service.findOnDeletedRses(scopes));
  }

  async #removeRules(random: Random): Promise<void> {
    const path = `/rules/?rse_expression=${passingRse}`;
    const reply = await this.#send({ method: 'GET', path }, random.fork('list'));
    for (const { id } of reply?.status === 200 ? rowsOf(reply) : []) {
      await this.#send({ method: 'DELETE', path: `/rules/${String(id)}` }, random.fork(String(id)));
    }
  }
}
