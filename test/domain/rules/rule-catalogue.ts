/** Helpers for tests of the rule engine: a catalogue with RSEs and an account, stream changes, and a recount. */
import { expect } from 'vitest';

import { runDueWork } from '../../../lib/background/run-work.ts';
import type { NewReplica } from '../../../lib/contract/schemas/replica.ts';
import { followContent } from '../../../lib/domain/rules/engine/follow-content.ts';
import { type RulesRequest } from '../../../lib/domain/rules/rules-request.ts';
import { stateOfRule } from '../../../lib/domain/values/rule-state.ts';
import { addIntegers, type Integer } from '../../../lib/integer.ts';
import { setLimitOnRse } from '../../../lib/operations/accounts/set-account-limits.ts';
import { detachDids } from '../../../lib/operations/dids/detach-dids.ts';
import { addReplicas } from '../../../lib/operations/replicas/add-replicas.ts';
import { addRules } from '../../../lib/operations/rules/add-rules.ts';
import { setLocalLimit } from '../../../lib/store/entities/account-limit.ts';
import { listAccountUsage } from '../../../lib/store/entities/account-usage.ts';
import { asFile, type Did, type FileDid, getDid, listByPrefix } from '../../../lib/store/entities/did.ts';
import { getRseUsage, ownSource } from '../../../lib/store/entities/rse-usage.ts';
import { getRse } from '../../../lib/store/entities/rse.ts';
import { getRule, listRuleIdsOfAccount, type Rule } from '../../../lib/store/entities/rule.ts';
import type { TableChange } from '../../../lib/store/stream/change.ts';
import { findListFaults } from '../../support/deletable-list.ts';
import { type Catalogue, data, newCatalogue } from '../dids/catalogue.ts';

/** The RSEs of every catalogue, each with a quota of a terabyte. */
const rseNames = ['AAA', 'BBB', 'CCC'] as const;
type RseName = (typeof rseNames)[number];

/** A catalogue with rules and reactions to the stream. */
export interface RuleCatalogue extends Catalogue {
  readonly rseIds: Readonly<Record<RseName, string>>;
  /** Registers files of ten bytes on an RSE. */
  register(rse: RseName, names: readonly string[], state?: NewReplica['state']): Promise<void>;
  /** Makes a rule on a DID of the scope `data`; by default on `AAA`. */
  rule(name: string, more?: Partial<RulesRequest>): Promise<string>;
  /** Sets the quota of root on an RSE. */
  limit(rse: RseName, bytes: number): Promise<void>;
  /** The present state and counters of a rule: `OK 1/0/0`. */
  show(id: string): Promise<string>;
  read(id: string): Promise<Rule>;
  file(name: string): Promise<FileDid>;
  /** The replicas of a file as `AAA:A[O]`: the state, and the states of its locks. */
  replicas(name: string): Promise<string>;
  detach(parent: string, children: readonly string[]): Promise<void>;
  /** The changes that the stream delivers for attachments or detachments. */
  tell(kind: 'attached' | 'detached', parent: string, children: readonly string[], type?: Did['type']): TableChange[];
  follow(changes: readonly TableChange[]): Promise<void>;
  /** Attaches files, and delivers the changes. */
  grow(parent: string, children: readonly string[], type?: Did['type']): Promise<void>;
  /** Runs the tasks that are due now or after a time, until none is left. */
  work(later?: number): Promise<void>;
  /** Compares locks, counters and usage with each other; `account` of all rules, by default root. */
  recount(account?: string): Promise<void>;
}

/** A new catalogue. */
export async function newRuleCatalogue(): Promise<RuleCatalogue> {
  const catalogue = await newCatalogue(undefined, { AAA: {}, BBB: {}, CCC: {} });
  const at: Catalogue['at'] = (...when) => catalogue.at(...when);
  const table = () => at().store.table.latest();
  const found = await Promise.all(
    rseNames.map(async (name) => [name, (await getRse(table(), name))?.id ?? ''] as const),
  );
  const rseIds = Object.fromEntries(found) as RuleCatalogue['rseIds'];
  await catalogue.store.write((latest) =>
    Promise.all(found.map(async ([, rseId]) => setLocalLimit(latest, 'root', { rseId, bytes: 1e12 }))),
  );
  const world: RuleCatalogue = {
    ...catalogue,
    rseIds,
    async register(rse, names, state) {
      const files = names.map((name) => ({ ...data(name), bytes: 10, ...(state === undefined ? {} : { state }) }));
      await addReplicas(at(), { rse, files, ignore_availability: true });
    },
    async rule(name, more = {}) {
      const wish = { dids: [data(name)], account: null, copies: 1, rse_expression: 'AAA' };
      const [id = ''] = await addRules(at(), { ...wish, ...more });
      return id;
    },
    limit: (rse, bytes) => setLimitOnRse(at(), { account: 'root', rse, bytes }),
    async show(id) {
      const rule = await world.read(id);
      return `${stateOfRule(rule)} ${rule.ok}/${rule.replicating}/${rule.stuck}`;
    },
    async read(id) {
      const rule = await getRule(table(), id);
      if (rule === undefined) throw new Error(`there is no rule ${id}`);
      return rule;
    },
    async file(name) {
      const file = asFile(await getDid(table(), data(name)));
      if (file === undefined) throw new Error(`there is no file ${name}`);
      return file;
    },
    async replicas(name) {
      const { replicas } = await world.file(name);
      return rseNames
        .flatMap((rse) => {
          const replica = replicas.get(rseIds[rse]);
          const locks = Object.values(replica?.locks ?? {}).map(({ state }) => state);
          return replica === undefined ? [] : [`${rse}:${replica.state}[${locks.toSorted().join('')}]`];
        })
        .join(' ');
    },
    detach: (parent, children) => detachDids(at(), data(parent), children.map(data)),
    tell: (kind, parent, children, type = 'FILE') =>
      children.map((child): TableChange => {
        const edge = { parent: data(parent), child: data(child), type, createdAt: 1 };
        return { kind: 'edge', id: child, at: 1, ...(kind === 'attached' ? { after: edge } : { before: edge }) };
      }),
    follow: (changes) => followContent.run(at(), changes),
    async grow(parent, children, type) {
      await catalogue.attach(parent, children);
      await world.follow(world.tell('attached', parent, children, type));
    },
    async work(later = 0) {
      for (let tasks = 1; tasks > 0;) ({ tasks } = await runDueWork(at(Date.now() + later), 30_000));
    },
    recount: (account = 'root') => recount(catalogue, account),
  };
  return world;
}

async function recount(catalogue: Catalogue, account: string): Promise<void> {
  const table = catalogue.at().store.table.latest();
  const counters = new Map<string, Record<'O' | 'R' | 'S', number>>();
  const charged = new Map<string, Integer>();
  const used = new Map<string, Integer>();
  const add = (sums: Map<string, Integer>, key: string, bytes: Integer) =>
    sums.set(key, addIntegers(sums.get(key) ?? 0, bytes));
  for await (const did of listByPrefix(table, 'data', '')) {
    const { name, bytes = 0 } = did;
    for (const [rseId, { locks = {}, state, tombstone }] of asFile(did)?.replicas ?? []) {
      add(used, rseId, bytes);
      for (const [id, lock] of Object.entries(locks)) {
        const sum = counters.get(id) ?? { O: 0, R: 0, S: 0 };
        sum[lock.state] += 1;
        counters.set(id, sum);
        add(charged, rseId, bytes);
        if (lock.state === 'O') expect(`${name} ${state}`).toMatch(/ [AT]$/);
        if (lock.state === 'R') expect(`${name} ${state}`).toMatch(/ C$/);
        if (lock.state !== 'S') expect(`${name} ${tombstone}`).toBe(`${name} undefined`);
      }
    }
  }
  const rules = new Map<string, Record<'O' | 'R' | 'S', number>>();
  for await (const id of listRuleIdsOfAccount(table, account)) {
    const rule = await getRule(table, id);
    if (rule === undefined) continue;
    const { ok: O, replicating: R, stuck: S } = rule;
    if (O + R + S > 0) rules.set(id, { O, R, S });
  }
  expect(Object.fromEntries(rules)).toEqual(Object.fromEntries(counters));
  const usage = await Array.fromAsync(listAccountUsage(table, account));
  const charges = new Map(usage.filter(({ bytes }) => bytes !== 0).map(({ rseId, bytes }) => [rseId, bytes]));
  expect(Object.fromEntries(charges)).toEqual(Object.fromEntries(charged));
  for (const [rseId, bytes] of used) expect((await getRseUsage(table, rseId, ownSource))?.used).toBe(bytes);
  expect(await findListFaults(table)).toEqual([]);
}
