import { beforeAll, describe, expect, it } from 'vitest';

import { runDueWork } from '../../../lib/background/run-work.ts';
import { setLimitOnRse } from '../../../lib/operations/accounts/set-account-limits.ts';
import { addDid } from '../../../lib/operations/dids/add-dids.ts';
import { importFleet } from '../../../lib/operations/fleet/import-fleet.ts';
import { addReplicas } from '../../../lib/operations/replicas/add-replicas.ts';
import { addRse } from '../../../lib/operations/rses/add-rse.ts';
import { deleteRse } from '../../../lib/operations/rses/delete-rse.ts';
import { addRules } from '../../../lib/operations/rules/add-rules.ts';
import { getDid } from '../../../lib/store/entities/did.ts';
import { hasRseContent } from '../../../lib/store/entities/rse-content.ts';
import { getFleet } from '../../../lib/store/entities/rse-fleet.ts';
import { getRse } from '../../../lib/store/entities/rse.ts';
import { openStore, type Store } from '../../../lib/store/open-store.ts';
import { newFaultyEngine } from '../../support/faulty-engine.ts';
import { ownEngine } from '../../support/run.ts';
import { data } from '../dids/catalogue.ts';
import { newRuleCatalogue, type RuleCatalogue } from '../rules/rule-catalogue.ts';

let world: RuleCatalogue;

beforeAll(async () => {
  world = await newRuleCatalogue();
  await world.register('AAA', ['there']);
});

/** An operation on an RSE through a store. */
type Run = (store: Store, rse: string) => Promise<unknown>;

const files = (rse: string, count: number) =>
  Array.from({ length: count }, (_value, index) => ({ ...data(`${rse}.${index}`), bytes: 1 }));

/** How replicas come to an RSE. */
const placements: Readonly<Record<string, Run>> = {
  'the registration of a file': (store, rse) =>
    addReplicas(world.at(Date.now(), store), { rse, files: files(rse, 1), ignore_availability: false }),
  'the registration of many files': (store, rse) =>
    addReplicas(world.at(Date.now(), store), { rse, files: files(rse, 30), ignore_availability: false }),
  'a dataset with new files': (store, rse) =>
    addDid(world.at(Date.now(), store), data(`${rse}.ds`), { type: 'DATASET', rse, dids: files(rse, 2) }),
  'a rule that asks for a copy': (store, rse) =>
    addRules(world.at(Date.now(), store), { dids: [data('there')], account: null, copies: 1, rse_expression: rse }),
};

const deleteOne: Run = (store, rse) => deleteRse(world.at(Date.now(), store), rse);

/** Disables the empty RSEs that it does not name: the import names all others. */
const deleteByImport: Run = async (store, rse) => {
  const { live } = await getFleet(world.at().store.table);
  const others = live.filter((one) => one.rse !== rse).map((one) => [one.rse, {}] as const);
  const methods = { rses: 'hard', attributes: 'append' } as const;
  await importFleet(world.at(Date.now(), store), { rses: Object.fromEntries(others) }, methods);
};

/** Runs an operation while another one waits at one of its requests. */
interface Interleaving {
  readonly outer: Run;
  readonly inner: Run;
}

let count = 0;

/**
 * Runs `outer` once for each of its requests to the table: `inner` runs before that request arrives, until it has finished or
 * waits for a bulk request, which may be that of `outer`.
 *
 * @param check What must be true afterwards.
 */
async function interleave(
  { outer, inner }: Interleaving,
  check: (rse: string, done: { readonly outer: boolean; readonly inner: boolean }) => Promise<void>,
): Promise<void> {
  for (let request = 1, isOver = false; !isOver; request += 1) {
    const rse = `RACE${(count += 1)}`;
    await addRse(world.at(), rse, {});
    await setLimitOnRse(world.at(), { account: 'root', rse, bytes: 1e12 });
    const real = await ownEngine();
    const [outerLine, innerLine] = [newFaultyEngine(real), newFaultyEngine(real)];
    const storeOf = ({ client }: typeof outerLine) => openStore({ tableName: world.store.table.name, ...client });
    const succeeds = (run: Promise<unknown>) =>
      run.then(
        () => true,
        (error: unknown) => {
          expect(String(error), `request ${request}`).toMatch(/RSENotFound|is not empty|RSE Expression/);
          return false;
        },
      );
    let sent = 0;
    let isInnerDone: Promise<boolean> | undefined;
    outerLine.injectFaults(() => {
      sent += 1;
      if (sent !== request) return undefined;
      const isWaiting = Promise.withResolvers<void>();
      innerLine.injectFaults((operation, input) => {
        if (operation === 'GetItem' && JSON.stringify(input).includes('BATCH#')) isWaiting.resolve();
        return undefined;
      });
      isInnerDone = succeeds(inner(storeOf(innerLine), rse));
      return { kind: 'delay', until: Promise.race([isInnerDone, isWaiting.promise]) };
    });
    const isOuterDone = await succeeds(outer(storeOf(outerLine), rse));
    isOver = isInnerDone === undefined;
    await check(rse, { outer: isOuterDone, inner: (await isInnerDone) ?? false });
  }
}

/** An RSE is deleted, or holds what was placed on it: never both. */
async function expectConsistent(rse: string, done: { readonly placed: boolean; readonly deleted: boolean }) {
  const table = world.at().store.table.latest();
  const { id = '', deletedAt } = (await getRse(table, rse)) ?? {};
  expect({ rse, ...done, deleted: deletedAt !== undefined, content: await hasRseContent(table, id) }).toEqual({
    rse,
    ...done,
    content: done.placed,
  });
  expect(done.placed && done.deleted, rse).toBe(false);
  expect((await world.file('there')).replicas.has(id) && done.deleted, rse).toBe(false);
  if (!done.placed) expect(await getDid(table, files(rse, 1)[0] ?? data('')), rse).toBeUndefined();
}

describe.each(Object.entries(placements))('%s', (_name, place) => {
  it('fails if the RSE is deleted between any two of its requests', async () => {
    await interleave({ outer: place, inner: deleteOne }, (rse, { outer, inner }) =>
      expectConsistent(rse, { placed: outer, deleted: inner }),
    );
  });
});

it.each(['the registration of a file', 'the registration of many files'])(
  '%s keeps an RSE from being deleted if it comes between any two requests of the deletion',
  async (name) => {
    await interleave({ outer: deleteOne, inner: placements[name] as Run }, (rse, { outer, inner }) =>
      expectConsistent(rse, { placed: inner, deleted: outer }),
    );
  },
);

it('an import that deletes RSEs keeps those that get a replica between any two of its requests', async () => {
  await interleave(
    { outer: deleteByImport, inner: placements['the registration of a file'] as Run },
    async (rse, done) => {
      const { deletedAt } = (await getRse(world.at().store.table.latest(), rse)) ?? {};
      await expectConsistent(rse, { placed: done.inner, deleted: deletedAt !== undefined });
    },
  );
});

it('an RSE that an import restores takes replicas again', async () => {
  await addRse(world.at(), 'RESTORED', {});
  await deleteRse(world.at(), 'RESTORED');
  await importFleet(world.at(), { rses: { RESTORED: {} } }, { rses: 'edit', attributes: 'append' });
  await placements['the registration of a file']?.(world.store, 'RESTORED');
  await expect(deleteRse(world.at(), 'RESTORED')).rejects.toThrow("RSE 'RESTORED' is not empty");
});

it('a rule that is placed by a task goes on without an RSE that is deleted before any of its requests', async () => {
  await world.add('ds', 'DATASET');
  await world.attach('ds', ['there']);
  const place: Run = async (store, rse) => {
    const wish = { dids: [data('ds')], account: null, copies: 1, rse_expression: `${rse}|BBB`, asynchronous: true };
    const [id = ''] = await addRules(world.at(), wish);
    await runDueWork({ store: store.begin(), now: Date.now() });
    await runDueWork({ store: world.store.begin(), now: Date.now() });
    expect(await world.show(id)).toBe('REPLICATING 0/1/0');
  };
  await interleave({ outer: place, inner: deleteOne }, async (rse, { inner }) => {
    const table = world.at().store.table.latest();
    const { id = '', deletedAt } = (await getRse(table, rse)) ?? {};
    expect(deletedAt !== undefined).toBe(inner);
    expect((await hasRseContent(table, id)) && inner).toBe(false);
  });
});
