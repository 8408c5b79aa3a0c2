import { expect } from 'vitest';

import { expireDids } from '../../../lib/background/expire-dids.ts';
import type { DidKey } from '../../../lib/contract/schemas/did.ts';
import { setStatus } from '../../../lib/operations/dids/set-status.ts';
import { deleteReplicas } from '../../../lib/operations/replicas/delete-replicas.ts';
import type { Table } from '../../../lib/store/batches/table.ts';
import { getDid, type Did } from '../../../lib/store/entities/did.ts';
import { openStore, type Store } from '../../../lib/store/open-store.ts';
import { newFaultyEngine } from '../../support/faulty-engine.ts';
import { ownEngine } from '../../support/run.ts';
import { type Catalogue, data } from './catalogue.ts';

/** A task on a collection, and what must be true once the collection is deleted. */
interface TaskOnDid {
  readonly run: (store: Store, did: DidKey) => Promise<unknown>;
  readonly expectNothingLeft: (table: Table, did: DidKey) => Promise<void>;
}

/**
 * Runs a task on an expired collection once for each of its requests to the table: the collection is deleted before that
 * request arrives. The task may fail; at the end the collection must be gone, and what the task has made with it.
 *
 * @returns How many requests the task sends.
 */
export async function deleteDuring(
  catalogue: Catalogue,
  { type, files = [] }: { readonly type: Did['type']; readonly files?: readonly string[] },
  { run, expectNothingLeft }: TaskOnDid,
): Promise<number> {
  return interleave(catalogue, {
    async prepare(did) {
      await catalogue.add(did.name, type, { lifetime: -10 });
      if (files.length > 0) await catalogue.attach(did.name, files);
    },
    outer: run,
    inner: () => expireDids({ store: catalogue.store.begin(), now: Date.now() }),
    expectNothingLeft,
  });
}

/**
 * The other way round: deletes the last replica of a file, with which a closed dataset goes, once for each request of the
 * deletion. The task runs before that request arrives.
 *
 * @returns How many requests the deletion sends.
 */
export async function runDuringDeletion(catalogue: Catalogue, { run, expectNothingLeft }: TaskOnDid): Promise<number> {
  const fileOf = ({ name }: DidKey) => data(`last.${name}`);
  const deleteFile = (store: Store, did: DidKey) =>
    deleteReplicas(catalogue.at(Date.now(), store), { rse: 'DISK', files: [fileOf(did)], ignore_availability: false });
  return interleave(catalogue, {
    async prepare(did) {
      await catalogue.add(did.name, 'DATASET');
      await catalogue.attach(did.name, [fileOf(did).name], 10);
      await setStatus(catalogue.at(), did, { open: false });
    },
    outer: deleteFile,
    inner: (did) => run(catalogue.store, did),
    expectNothingLeft,
  });
}

interface Interleaving {
  readonly prepare: (did: DidKey) => Promise<void>;
  readonly outer: (store: Store, did: DidKey) => Promise<unknown>;
  /** Runs before one of the requests of `outer`, or after them. */
  readonly inner: (did: DidKey) => Promise<unknown>;
  readonly expectNothingLeft: TaskOnDid['expectNothingLeft'];
}

async function interleave(catalogue: Catalogue, { prepare, outer, inner, expectNothingLeft }: Interleaving) {
  for (let request = 1; ; request += 1) {
    const did = data(`deleted.${request}`);
    await prepare(did);
    const engine = newFaultyEngine(await ownEngine());
    let sent = 0;
    const over = Promise.withResolvers<void>();
    const runInner = async () => {
      await inner(did).catch((error: unknown) => expect(String(error)).toContain(did.name));
    };
    engine.injectFaults(() => {
      sent += 1;
      if (sent !== request) return undefined;
      over.resolve(runInner());
      return { kind: 'delay', until: over.promise };
    });
    const store = openStore({ tableName: catalogue.store.table.name, ...engine.client });
    await outer(store, did).catch((error: unknown) => expect(String(error)).toContain(did.name));
    if (sent < request) await runInner();
    const table = catalogue.at().store.table.latest();
    expect(await getDid(table, did), `request ${request}`).toBeUndefined();
    await expectNothingLeft(table, did);
    if (sent < request) return sent;
  }
}
