/** A replica and its locks change together: all pairs of states, by every route that sets them, in every order. */
import { beforeEach, describe, expect, it } from 'vitest';

import { clock } from '../../../lib/clock.ts';
import { ReplicaState } from '../../../lib/contract/schemas/states.ts';
import { ReplicaChanges } from '../../../lib/domain/locks/replica-changes.ts';
import {
  replicaTransitions,
  type SettableState,
  type Transition,
} from '../../../lib/domain/locks/replica-transitions.ts';
import { locateNamedReplica } from '../../../lib/domain/replicas/bad/locate-replicas.ts';
import { writeDeclarations } from '../../../lib/domain/replicas/bad/write-declarations.ts';
import { leaseTransfers } from '../../../lib/domain/requests/lease-transfers.ts';
import { reportTransfers } from '../../../lib/domain/requests/report-transfers.ts';
import { addReplicas } from '../../../lib/operations/replicas/add-replicas.ts';
import { declareBad, declareBadDids } from '../../../lib/operations/replicas/declare-replicas.ts';
import { quarantineReplicas } from '../../../lib/operations/replicas/quarantine-replicas.ts';
import { setTombstone } from '../../../lib/operations/replicas/set-tombstone.ts';
import { updateReplicas } from '../../../lib/operations/replicas/update-replicas.ts';
import { updateRule } from '../../../lib/operations/rules/update-rule.ts';
import { getFiles, type Replica } from '../../../lib/store/entities/did.ts';
import { getRse } from '../../../lib/store/entities/rse.ts';
import { getTransfer, listTransfersTo } from '../../../lib/store/entities/transfer.ts';
import { data } from '../dids/catalogue.ts';
import { newRuleCatalogue, type RuleCatalogue } from '../rules/rule-catalogue.ts';

let world: RuleCatalogue;

beforeEach(async () => {
  world = await newRuleCatalogue();
});

/** Random numbers from 0 to 1 that a seed determines (mulberry32). */
function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const { SOURCE: _source, ...settable } = ReplicaState;
const states: readonly SettableState[] = Object.values(settable);
const put = (name: string, state: SettableState, rse = 'AAA') =>
  updateReplicas(world.at(), { rse, files: [{ ...data(name), state }] });
const bad = (name: string, force = true) =>
  declareBad(world.at(), { replicas: [{ ...data(name), rse: 'AAA' }], pfns: [], reason: 'burnt', force });
const wanted = async () =>
  (await Array.fromAsync(listTransfersTo(world.at().store.table.latest(), world.rseIds.AAA))).map(
    ({ did }) => did.name,
  );

/** Sets replicas on AAA as they are, past all rules: what an earlier version, an import or a reaper left. */
async function plant(replicas: Readonly<Record<string, Partial<Replica>>>): Promise<void> {
  await world.store.write(async (latest) => {
    const changes = new ReplicaChanges(Date.now());
    for (const file of await getFiles(latest, Object.keys(replicas).map(data))) {
      const before = file.replicas.get(world.rseIds.AAA);
      if (before !== undefined) changes.set(file, world.rseIds.AAA, { ...before, ...replicas[file.name] });
    }
    return changes.writes(new Map());
  });
}

/** State that a lock on a replica must have. */
const lockOf = (state: string) => (state === 'A' || state === 'T' ? 'O' : state === 'C' ? 'R' : 'S');

/** The outcome of a transition for a replica: its state, by whether it has locks, and whether another replica can be copied. */
const outcomes: Readonly<Record<Transition, (to: string, isLocked: boolean, hasOther: boolean) => string>> = {
  arrival: (to) => to,
  failure: () => 'U',
  wait: () => 'C',
  loss: (_to, isLocked, hasOther) => (isLocked && hasOther ? 'C' : 'D'),
  deletion: (to, isLocked) => (isLocked ? 'ReplicaIsLocked' : to),
  refusal: () => 'UnsupportedOperation',
};

describe('PUT /replicas of every state over every state (replication 1.3)', () => {
  it.each([
    ['locked by two rules, and another replica can be copied', true, true],
    ['locked by two rules, and no other replica can', true, false],
    ['without locks, and another replica can be copied', false, true],
    ['without locks, and no other replica can', false, false],
  ])('%s', async (_what, isLocked, hasOther) => {
    const pairs = states.flatMap((from) => states.map((to) => ({ from, to, name: `${from}-${to}` })));
    // A replica that is being deleted has no locks.
    const tried = pairs.filter(({ from }) => !(isLocked && from === 'B'));
    const names = tried.map(({ name }) => name);
    await world.register('AAA', names, 'A');
    await world.register('BBB', names, hasOther ? 'A' : 'U');
    await world.add('ds', 'DATASET');
    await world.attach('ds', names);
    if (isLocked) {
      await world.rule('ds');
      await world.rule('ds', { rse_expression: 'AAA|AAA' });
    }
    for (const { from, name } of tried) {
      // A bad replica that can be copied is being copied: look at those that could not be when they were declared.
      if (from === 'D') await put(name, 'U', 'BBB');
      if (from !== 'A') await put(name, from);
      if (from === 'D' && hasOther) await put(name, 'A', 'BBB');
    }
    for (const { from, to, name } of tried) {
      const expected = outcomes[replicaTransitions[from][to]](to, isLocked, hasOther);
      const answer = await put(name, to).then(
        () => undefined,
        (error: Error) => error.name,
      );
      const state = (await world.file(name)).replicas.get(world.rseIds.AAA)?.state ?? 'none';
      expect(`${name}: ${answer ?? state}`).toBe(`${name}: ${expected}`);
      if (answer !== undefined) {
        expect(`${name}: ${state}`).toBe(`${name}: ${from}`);
        continue;
      }
      const locks = Object.values((await world.file(name)).replicas.get(world.rseIds.AAA)?.locks ?? {});
      expect(`${name} ${locks.map((lock) => lock.state).join('')}`).toBe(
        `${name} ${(isLocked ? lockOf(state) : '').repeat(2)}`,
      );
    }
    const copying = [];
    for (const name of names) if ((await world.replicas(name)).startsWith('AAA:C[R')) copying.push(name);
    expect(await wanted()).toEqual(hasOther ? copying.toSorted() : []);
    await world.recount();
  });

  it('ends the mark and the tombstone of the former file when one is uploaded', async () => {
    const begun = states.flatMap((from) => (['A', 'C'] as const).map((to) => ({ from, to, name: `${from}-${to}` })));
    const names = begun.map(({ name }) => name);
    await world.register('AAA', names);
    await plant(Object.fromEntries(begun.map(({ from, name }) => [name, { state: from, tombstone: 1, updatedAt: 2 }])));
    for (const { name, to } of begun) await put(name, to);
    for (const { name } of begun) {
      const { state, tombstone } = (await world.file(name)).replicas.get(world.rseIds.AAA) ?? {};
      expect([name, state, tombstone]).toEqual([name, name.at(-1), undefined]);
    }
    await world.recount();
  });

  it('lets a bad replica without locks go, once another can be copied (replication 1.8)', async () => {
    await world.register('AAA', ['put', 'declared', 'last']);
    await world.register('BBB', ['put', 'declared']);
    await put('put', 'D');
    await bad('declared');
    await bad('last');
    const tombstoneOf = async (name: string) => (await world.file(name)).replicas.get(world.rseIds.AAA)?.tombstone;
    expect(await Promise.all(['put', 'declared', 'last'].map(tombstoneOf))).toEqual([0, 0, undefined]);
    await world.recount();
  });
});

describe('a copy under way', () => {
  const did = data('f');
  const lease = async () => {
    const rse = await getRse(world.at().store.table.latest(), 'AAA');
    if (rse === undefined) throw new Error('no RSE');
    const wish = { holder: 'm', destinations: [rse], limit: 1, seconds: 600 };
    const [leased] = await leaseTransfers(world.at(), wish);
    const report = (state: 'DONE' | 'FAILED') =>
      reportTransfers(world.at(), rse, [{ ...did, lease: leased?.lease.id ?? '', state, adler32: '0cc737eb' }]);
    return { leased, report };
  };

  beforeEach(async () => {
    await world.register('BBB', ['f']);
    await world.rule('f');
    expect(await world.replicas('f')).toBe('AAA:C[R] BBB:A[]');
  });

  it('is never taken for a copy that is there for a time', async () => {
    const before = await getTransfer(world.at().store.table.latest(), did, world.rseIds.AAA);
    const message = 'State TEMPORARY_UNAVAILABLE for replica data:f on AAA cannot be updated';
    await expect(put('f', 'T')).rejects.toMatchObject({ name: 'UnsupportedOperation', message });
    expect(await getTransfer(world.at().store.table.latest(), did, world.rseIds.AAA)).toEqual(before);
    expect(await world.replicas('f')).toBe('AAA:C[R] BBB:A[]');
  });

  it('begins anew when what is there is declared bad, and the mover that made that loses it', async () => {
    const first = await lease();
    await put('f', 'D');
    expect(await world.replicas('f')).toBe('AAA:C[R] BBB:A[]');
    expect(await first.report('DONE')).toMatchObject([{ state: 'LOST' }]);
    expect(await world.replicas('f')).toBe('AAA:C[R] BBB:A[]');
    const second = await lease();
    expect(second.leased).toMatchObject({ replaces: true });
    expect(await second.report('DONE')).toMatchObject([{ state: 'DONE' }]);
    expect(await world.replicas('f')).toBe('AAA:A[O] BBB:A[]');
    await world.recount();
  });

  it.each([
    ['by its state', () => put('f', 'D')],
    ['as a replica, by force', () => bad('f')],
  ])('begins anew whenever what is there is declared bad once more: %s', async (_how, declareAgain) => {
    await put('f', 'D');
    const first = await lease();
    await declareAgain();
    expect(await first.report('DONE')).toMatchObject([{ state: 'LOST' }]);
    expect(await world.replicas('f')).toBe('AAA:C[R] BBB:A[]');
    expect(await (await lease()).report('DONE')).toMatchObject([{ state: 'DONE' }]);
    expect(await world.replicas('f')).toBe('AAA:A[O] BBB:A[]');
    await world.recount();
  });

  it('goes on when it is declared bad once more without force, which is refused', async () => {
    await put('f', 'D');
    const first = await lease();
    expect(await bad('f', false)).toEqual({ AAA: [expect.stringMatching(/f Already declared$/)] });
    expect(await first.report('DONE')).toMatchObject([{ state: 'DONE' }]);
    expect(await world.replicas('f')).toBe('AAA:A[O] BBB:A[]');
    await world.recount();
  });

  it('is asked for by the repair when an upload that nobody was asked for has taken more than a day', async () => {
    await world.register('AAA', ['g'], 'C');
    await world.register('BBB', ['g']);
    const id = await world.rule('g');
    expect([await world.show(id), await wanted()]).toEqual(['REPLICATING 0/1/0', ['f']]);
    await updateRule(world.at(), id, { state: 'STUCK', boost_rule: true });
    await world.work(3_600_000);
    expect([await world.show(id), await wanted()]).toEqual(['REPLICATING 0/1/0', ['f']]);
    await updateRule(world.at(), id, { state: 'STUCK', boost_rule: true });
    await world.work(2 * 86_400_000);
    expect([await world.show(id), await wanted()]).toEqual(['REPLICATING 0/1/0', ['f', 'g']]);
    await world.recount();
  });
});

describe('any order of all routes that set states', () => {
  it.each([1, 2, 3, 4])('leaves locks, counters, requests and usage right (seed %i)', async (seed) => {
    const random = seededRandom(seed);
    const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
    const names = ['p', 'q', 'r'];
    await world.register('AAA', names);
    await world.register('BBB', ['p', 'q']);
    await world.add('ds', 'DATASET');
    await world.attach('ds', names);
    const rse = await getRse(world.at().store.table.latest(), 'AAA');
    if (rse === undefined) throw new Error('no RSE');
    const ids = [await world.rule('ds'), await world.rule('p', { rse_expression: 'AAA|AAA' })];
    const steps: Readonly<Record<string, () => Promise<unknown>>> = {
      put: () => put(pick(names), pick(states)),
      putTwice: () =>
        updateReplicas(world.at(), {
          rse: 'AAA',
          files: Array.from({ length: 2 }, () => ({ ...data(pick(names)), state: pick(states) })),
        }),
      putSource: () => put(pick(['p', 'q']), pick(states), 'BBB'),
      bad: () => bad(pick(names)),
      badDids: () =>
        declareBadDids(world.at(), { dids: names.map(data), rse: 'AAA', reason: 'x', expires_at: undefined }),
      away: () =>
        writeDeclarations(
          world.at(),
          [locateNamedReplica(rse, data(pick(names)))],
          { state: pick(['TEMPORARY_UNAVAILABLE', 'SUSPICIOUS'] as const), reason: 'x', until: clock.now() + 60_000 },
          () => undefined,
        ),
      upload: () =>
        addReplicas(world.at(), {
          rse: pick(['AAA', 'BBB']),
          files: [{ ...data(pick(names)), bytes: 10, state: pick(['A', 'C'] as const) }],
          ignore_availability: true,
        }),
      tombstone: () => setTombstone(world.at(), [{ ...data(pick(names)), rse: pick(['AAA', 'BBB']) }]),
      quarantine: () =>
        quarantineReplicas(world.at(), {
          rse: 'AAA',
          rse_id: undefined,
          replicas: [{ ...data(pick(names)), path: '/x' }],
        }),
      stick: () =>
        updateRule(world.at(), pick(ids), { state: 'STUCK', ...(random() < 0.5 ? { cancel_requests: true } : {}) }),
      boost: () => updateRule(world.at(), pick(ids), { boost_rule: true }),
      work: () => world.work(3_600_000),
      report: async () => {
        const wish = { holder: 'm', destinations: [rse], limit: 3, seconds: 600 };
        const leased = await leaseTransfers(world.at(Date.now() + 86_400_000), wish);
        const state = pick(['DONE', 'FAILED'] as const);
        const reports = Array.from(leased, (one) => ({
          ...one.details.transfer.did,
          lease: one.lease.id,
          state,
          adler32: '0cc737eb',
        }));
        return reportTransfers(world.at(), rse, reports);
      },
    };
    const history: string[] = [];
    for (let count = 0; count < 40; count += 1) {
      const name = pick(Object.keys(steps));
      history.push(name);
      await steps[name]?.().catch((error: Error) => {
        expect(['UnsupportedOperation', 'ReplicaIsLocked', 'ReplicaNotFound']).toContain(error.name);
        history.push(error.name);
      });
      await world.recount();
      for (const file of names) {
        const replica = (await world.file(file)).replicas.get(world.rseIds.AAA);
        const isAsked = replica?.state === 'C' && replica.askedBy !== undefined;
        expect([history, file, (await wanted()).includes(file)]).toEqual([history, file, isAsked]);
      }
    }
  });
});
