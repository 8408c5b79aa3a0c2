import type { Deployment } from './deployment.ts';
import { findRule, type Send } from './expiring-client.ts';
import type { Reply } from './fleet.ts';
import { type HostileAction, requestOfHostile, stranger, strangerScope, victimPath } from './hostile-actions.ts';
import { openRse, victimScope } from './names.ts';
import { allow, prepareStorage } from './preparation.ts';
import type { Random } from './random.ts';
import { requestOfRuleChange } from './rule-changes.ts';

/** Carries out what a hostile user tries, and what those do whose files are meant. */
export class HostileClient {
  readonly #send: Send;
  readonly #deployment: Deployment;
  readonly #prepareOthers: () => Promise<void>;
  #prepared: Promise<boolean> | undefined;

  constructor(send: Send, deployment: Deployment, prepareOthers: () => Promise<void>) {
    this.#send = send;
    this.#deployment = deployment;
    this.#prepareOthers = prepareOthers;
  }

  /** The last reply; undefined: it did not come, or nothing was requested. */
  async act(action: HostileAction, random: Random): Promise<Reply | undefined> {
    if (!(await (this.#prepared ??= this.#prepare()))) return undefined;
    if (action.kind === 'withdraw') {
      const rule = await findRule(this.#send, action.file, random, ({ name }) => name === action.file.name);
      if (rule === undefined) return undefined;
      return this.#send(requestOfRuleChange(rule.id, { to: 'move', rse: action.rse }), random);
    }
    const isHonest = action.kind === 'publish' || action.kind === 'keep' || action.kind === 'want';
    if (action.kind === 'keep') this.#deployment.watch.upload(action.rse, action.file);
    if (action.kind === 'publish') this.#deployment.watch.place(openRse, victimPath(action.file), action.file);
    const headers = isHonest ? {} : { 'X-Rucio-Auth-Token': await this.#deployment.tokenOf(stranger) };
    let reply: Reply | undefined;
    for (const [index, request] of requestOfHostile(action).entries()) {
      reply = await this.#send({ ...request, headers }, random.fork(`request ${index}`));
    }
    return reply;
  }

  /** Whether the hostile user has an account and a scope: an operator may delete accounts meanwhile, by an import that does not name them. */
  async #prepare(): Promise<boolean> {
    await this.#prepareOthers();
    await this.#deployment.requestSuccess({ method: 'POST', path: `/scopes/root/${victimScope}` });
    await this.#deployment.requestSuccess({ method: 'POST', path: `/rses/${openRse}`, body: { deterministic: false } });
    await prepareStorage(this.#deployment, openRse);
    const account = { type: 'USER', email: 'stranger@example.org' };
    await this.#deployment.requestSuccess({ method: 'POST', path: `/accounts/${stranger}`, body: account });
    const identity = { identity: stranger, authtype: 'USERPASS', email: '', password: stranger };
    for (const request of [
      { method: 'POST', path: `/accounts/${stranger}/identities`, body: identity },
      { method: 'POST', path: `/scopes/${stranger}/${strangerScope}` },
    ] as const) {
      const { status, text } = await this.#deployment.requestAny(request);
      if (status === 404) return false;
      if (status >= 300) throw new Error(`${request.path}: ${status} ${text}`);
    }
    for (const one of ['root', stranger]) await allow(this.#deployment, one, openRse);
    return true;
  }
}
