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
  #prepared: Promise<void> | undefined;

  constructor(send: Send, deployment: Deployment, prepareOthers: () => Promise<void>) {
    this.#send = send;
    this.#deployment = deployment;
    this.#prepareOthers = prepareOthers;
  }

  /** The last reply; undefined: it did not come, or nothing was requested. */
  async act(action: HostileAction, random: Random): Promise<Reply | undefined> {
    await (this.#prepared ??= this.#prepare());
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

  async #prepare(): Promise<void> {
    await this.#prepareOthers();
    const body = { type: 'USER', email: 'stranger@example.org' };
    await this.#deployment.requestSuccess({ method: 'POST', path: `/accounts/${stranger}`, body });
    const identity = { identity: stranger, authtype: 'USERPASS', email: '', password: stranger };
    await this.#deployment.requestSuccess({ method: 'POST', path: `/accounts/${stranger}/identities`, body: identity });
    await this.#deployment.requestSuccess({ method: 'POST', path: `/scopes/${stranger}/${strangerScope}` });
    await this.#deployment.requestSuccess({ method: 'POST', path: `/scopes/root/${victimScope}` });
    await this.#deployment.requestSuccess({ method: 'POST', path: `/rses/${openRse}`, body: { deterministic: false } });
    await prepareStorage(this.#deployment, openRse);
    for (const account of ['root', stranger]) await allow(this.#deployment, account, openRse);
  }
}
