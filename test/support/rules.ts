/** Helpers of the tests of rules: RSEs with limits, files on them, and rules. */
import { expect } from 'vitest';

import { expectStatus, newStorageRse, register } from './replicas.ts';
import { type Answer, asRoot, type Client, newAccount, newScope, uniqueName } from './server.ts';

const root = asRoot();

/** A scope, two RSEs without limits for root and alice, and alice, an account without further rights. */
export interface RuleSetup {
  readonly scope: string;
  readonly one: string;
  readonly two: string;
  readonly alice: Client;
}

/** Makes a scope, RSEs and accounts for rules. */
export async function newRuleSetup(): Promise<RuleSetup> {
  const [scope, one, two, alice] = await Promise.all([newScope(), newStorageRse(), newStorageRse(), newAccount()]);
  for (const account of ['root', alice.account]) await allow(account, one, two);
  return { scope, one, two, alice };
}

/** Gives an account unlimited use of some RSEs. */
export async function allow(account: string, ...rses: readonly string[]): Promise<void> {
  for (const rse of rses)
    expectStatus(await root.post(`/accounts/${account}/limits/local/${rse}`, { bytes: 1e12 }), 201);
}

/** The id of no rule. */
export const unknownRuleId = '0123456789abcdef0123456789abcdef';

/** The record of a rule. */
export interface RuleLine {
  readonly id: string;
  readonly state: string;
  readonly account: string;
  readonly expires_at: string | null;
  readonly child_rule_id: string | null;
  readonly [field: string]: unknown;
}

/** Posts a rule for one copy of a DID. */
export function postRule(as: Client, did: object, rse: string, more: object = {}): Promise<Answer> {
  return as.post('/rules/', { dids: [did], account: null, copies: 1, rse_expression: rse, ...more });
}

/** The id of a new rule of root. */
export async function newRule(did: object, rse: string, more: object = {}, as: Client = root): Promise<string> {
  const answer = await postRule(as, did, rse, more);
  expectStatus(answer, 201);
  return String((answer.json() as string[])[0]);
}

/** A file on an RSE. */
export async function newFile(scope: string, rse: string): Promise<{ scope: string; name: string }> {
  const name = uniqueName('file');
  await register(rse, scope, [name]);
  return { scope, name };
}

/** A dataset of files on an RSE. */
export async function newDataset(scope: string, rse: string, count: number): Promise<{ scope: string; name: string }> {
  const name = uniqueName('ds');
  const files = Array.from({ length: count }, (_none, index) => `${name}.${index}`);
  await register(rse, scope, files);
  expectStatus(await root.post(`/dids/${scope}/${name}`, { type: 'DATASET' }), 201);
  const dids = files.map((file) => ({ scope, name: file }));
  expectStatus(await root.post(`/dids/${scope}/${name}/dids`, { dids }), 201);
  return { scope, name };
}

/** The current record of a rule. */
export async function ruleOf(id: string): Promise<RuleLine> {
  const answer = await root.get(`/rules/${id}`);
  expectStatus(answer, 200);
  return answer.json() as RuleLine;
}

/** The lines of the answer to a list. */
export async function linesOf(path: string): Promise<RuleLine[]> {
  const answer = await root.get(path);
  expectStatus(answer, 200);
  return answer.lines() as RuleLine[];
}

/** Changes options of a rule as root. */
export function update(id: string, options: object): Promise<Answer> {
  return root.put(`/rules/${id}`, { options });
}

/** Waits until a rule is deleted. */
export async function expectGone(id: string): Promise<void> {
  await expect.poll(async () => (await root.get(`/rules/${id}`)).status).toBe(404);
}
