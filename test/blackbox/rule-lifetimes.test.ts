/** RSEs bound the lifetime of rules by their attribute `max_rule_lifetime` (replication 2.3). */
import { beforeAll, describe, expect, it } from 'vitest';

import { expectStatus, newStorageRse } from '../support/replicas.ts';
import { putReplicaStates } from '../support/replication.ts';
import { allow, expectGone, newFile, newRule, newRuleSetup, ruleOf, type RuleSetup, update } from '../support/rules.ts';
import { asRoot, expectEmpty, uniqueName } from '../support/server.ts';

const root = asRoot();
let setup: RuleSetup;
let scratch: string;

const bound = async (rse: string, value: unknown) =>
  expectStatus(await root.post(`/rses/${rse}/attr/max_rule_lifetime`, { value }), 201);

beforeAll(async () => {
  setup = await newRuleSetup();
  scratch = await newStorageRse();
  await allow('root', scratch);
  await bound(scratch, 1_000);
});

/** The rest of the lifetime of a rule, in hundreds of seconds; undefined: it has no end. */
const lifeOf = async (id: string) => {
  const { expires_at: end } = await ruleOf(id);
  return end === null ? undefined : Math.round((Date.parse(end) - Date.now()) / 100_000);
};

describe('a rule on an RSE with max_rule_lifetime', () => {
  it.each([
    ['without an end', {}, 10],
    ['with a later end', { lifetime: 5_000 }, 10],
    ['with an earlier end', { lifetime: 500 }, 5],
    ['that is placed later', { asynchronous: true }, 10],
  ])('ends in time: one %s', async (_kind, more, expected) => {
    const id = await newRule(await newFile(setup.scope, setup.one), scratch, more);
    expect(await lifeOf(id)).toBe(expected);
  });

  it('ends in time when its expression names other RSEs, too, and not when it does not name it', async () => {
    const file = await newFile(setup.scope, setup.one);
    expect(await lifeOf(await newRule(file, `${setup.one}|${scratch}`))).toBe(10);
    expect(await lifeOf(await newRule(file, setup.one))).toBeUndefined();
  });

  it('ends in time when it comes with its dataset', async () => {
    const name = uniqueName('ds');
    const rules = [{ account: 'root', copies: 1, rse_expression: scratch }];
    expectStatus(await root.post(`/dids/${setup.scope}/${name}`, { type: 'DATASET', rules }), 201);
    const [rule] = (await root.get(`/dids/${setup.scope}/${name}/rules`)).lines() as { id: string }[];
    expect(await lifeOf(String(rule?.id))).toBe(10);
  });

  it('ends in time after any change of its end', async () => {
    const file = await newFile(setup.scope, setup.one);
    const id = await newRule(file, scratch, { lifetime: 100 });
    for (const [lifetime, expected] of [
      [null, 10],
      [300, 3],
      [1e9, 10],
    ] as const) {
      expectEmpty(await update(id, { lifetime }));
      expect(await lifeOf(id)).toBe(expected);
    }
    const answer = await root.post(`/rules/${id}/move`, { rse_expression: setup.two });
    expectStatus(answer, 201);
    const child = String(answer.json());
    await putReplicaStates(setup.one, [file], 'A');
    expectEmpty(await update(child, { lifetime: 0 }));
    await expectGone(child);
    expect(await lifeOf(id)).toBe(10);
  });

  it.each([['0'], ['-5'], ['soon'], [''], ['1e300']])('has no bound by %j', async (value) => {
    const rse = await newStorageRse();
    await allow('root', rse);
    await bound(rse, value);
    const life = await lifeOf(await newRule(await newFile(setup.scope, setup.one), rse));
    expect(life).toBeUndefined();
  });
});
