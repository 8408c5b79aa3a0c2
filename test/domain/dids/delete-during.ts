import { expect } from 'vitest';

import { expireDids } from '../../../lib/background/expire-dids.ts';
import type { DidKey } from '../../../lib/contract/schemas/did.ts';
import type { Table } from '../../../lib/store/batches/table.ts';
import { getDid, type Did } from '../../../lib/store/entities/did.ts';
import { openStore, type Store } from '../../../lib/store/open-store.ts';
import { newFaultyEngine } from '../../support/faulty-engine.ts';
import { ownEngine } from '../../support/run.ts';
import { type Catalogue, data } from './catalogue.ts';

/** A task on a collection, and what must be true once the collection is deleted. */
interface TaskOnDid {
  readonly type: Did['type'];
  readonly files?: readonly string[];
  readonly run: (store: Store, did: DidKey) => Promise<unknown>;
  readonly expectNothingLeft: (table: Table, did: DidKey) => Promise<void>;
}

/**
 * Runs a task on an expired collection once for each of its requests to the table: the collection is deleted before that
 * request arrives. The task may fail; at the end the collection must be gone, and what the task has made with it.
 *
 * @returns How many requests the task sends.
 */
export async function deleteDuring(catalogue: Catalogue, task: TaskOnDid): Promise<number> {
  const { files = [] } = task;
  const expire = async () => {
    await expireDids({ store: catalogue.store.begin(), now: Date.now() });
  };
  for (let request = 1; ; request += 1) {
    const did = data(`deleted.${request}.${files.length}`);
    await catalogue.add(did.name, task.type, { lifetime: -10 });
    if (files.length > 0) await catalogue.attach(did.name, files);
    const engine = newFaultyEngine(await ownEngine());
    let sent = 0;
    const deleted = Promise.withResolvers<void>();
    engine.injectFaults(() => {
      sent += 1;
      if (sent !== request) return undefined;
      deleted.resolve(expire());
      return { kind: 'delay', until: deleted.promise };
    });
    const store = openStore({ tableName: catalogue.store.table.name, ...engine.client });
    await task.run(store, did).catch((error: unknown) => expect(String(error)).toContain(did.name));
    await expire();
    const table = catalogue.at().store.table.latest();
    expect(await getDid(table, did), `request ${request}`).toBeUndefined();
    await task.expectNothingLeft(table, did);
    if (sent < request) return sent;
  }
}
