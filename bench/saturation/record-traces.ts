import { isFor, passesFilters } from '../../infra/stream-filter.ts';
import { createConsumer } from '../../lib/background/create-consumer.ts';
import { maintainMetadataIndex } from '../../lib/background/maintain-metadata-index.ts';
import { fastReactions } from '../../lib/background/reactions.ts';
import { bootstrapRoot } from '../../lib/domain/accounts/bootstrap.ts';
import type { Context } from '../../lib/domain/values/context.ts';
import type * as ListReplicas from '../../lib/operations/replicas/list-replicas.ts';
import { makeUnfilteredQuery } from '../../lib/operations/replicas/replica-query.ts';
import { setRseAttribute } from '../../lib/operations/rses/set-attribute.ts';
import { measure } from '../../lib/store/items/meter.ts';
import { rseKeys } from '../../lib/store/keys/rse-keys.ts';
import type * as OpenStore from '../../lib/store/open-store.ts';
import { openStore } from '../../lib/store/open-store.ts';
import type { StreamRecord } from '../../lib/store/stream/record.ts';
import { setEnvironment } from '../../local/environment.ts';
import { localClient } from '../../local/local-client.ts';
import { clientOf, openEngine } from '../../local/open-engine.ts';
import { createTable } from '../../local/table.ts';
import { newProcess } from '../../test/support/new-process.ts';
import { readAll } from './read-all.ts';
import { Recorder } from './recorder.ts';
import type { Trace } from './touch.ts';
import { type Mix, type Operation, Workload } from './workload.ts';

/** Load of the requests of a mix on the table, recorded from the real handlers on the embedded engine. */
export interface Recording {
  readonly operations: readonly { readonly operation: Operation; readonly traces: readonly Trace[] }[];
  /** Load of the consumer of the stream for the records of one write request. */
  readonly background: readonly Trace[];
  /** The first read of a process that has just started, with the fleet packed. */
  readonly start: Trace;
  /** The read of a process after an RSE has changed. */
  readonly afterChange: Trace;
}

/** The records of RSEs. */
const ofFleet = { dynamodb: { Keys: { PK: { S: [rseKeys.partition] } } } };

const tableName = 'DappleSaturation';
const user = { username: 'ddmlab', password: 'secret' };

/** Records each operation of a mix some times, one after the other. */
export async function recordTraces(mix: Mix, runs: number): Promise<Recording> {
  const engine = openEngine();
  try {
    setEnvironment({ tableName });
    const client = localClient(engine.client);
    await createTable(client, tableName);
    client.destroy();
    const recorder = new Recorder(engine.transport, tableName);
    const store = openStore({ ...clientOf(recorder), tableName });
    const contextOf = (account: string): Context => ({
      store: store.begin(),
      now: Date.now(),
      issuer: { account, identity: user.username },
    });
    const asRoot = () => contextOf('root');
    await bootstrapRoot(store, user);
    await maintainMetadataIndex({ store: store.begin(), now: Date.now() });
    const workload = new Workload(mix, runs);
    await workload.seed(asRoot);
    const read = await readAll(engine.transport, tableName);
    const consume = createConsumer(store, fastReactions);
    // Reactions to RSEs alone: those to the whole seed would take minutes.
    const ofRses = (await read()).filter((record) => passesFilters(record, [ofFleet]));
    await consume({ Records: ofRses as StreamRecord[] });

    const trace = async (run: () => Promise<unknown>): Promise<Trace> => {
      let trips = 0;
      const touches = await recorder.record(async () => {
        trips = (await measure(run)).cost.roundTrips;
      });
      return { touches, trips };
    };
    const background: Trace[] = [];
    const operations: { operation: Operation; traces: Trace[] }[] = [];
    for (const operation of workload.operations) {
      // Fills the caches of the process.
      if (!operation.isWrite) await operation.run(asRoot(), 0);
      const traces: Trace[] = [];
      for (let index = 0; index < runs; index += 1) {
        const account = operation.isWrite ? 'root' : workload.account(index);
        traces.push(await trace(() => operation.run(contextOf(account), index)));
      }
      operations.push({ operation, traces });
      const records = (await read()).filter((record) => isFor('fast', record));
      if (records.length === 0) continue;
      const followed = await trace(() => consume({ Records: records as StreamRecord[] }));
      const scale = (units: number) => (units * operation.share) / runs;
      const touches = followed.touches.map((touch) => ({ ...touch, rru: scale(touch.rru), wru: scale(touch.wru) }));
      background.push({ ...followed, touches });
    }

    const load = newProcess(clientOf(recorder));
    const other = await load<typeof ListReplicas>('lib/operations/replicas/list-replicas.ts');
    const { openStore: openOther } = await load<typeof OpenStore>('lib/store/open-store.ts');
    const cold = openOther({ ...clientOf(recorder), tableName });
    const query = makeUnfilteredQuery([{ scope: workload.scope(0), name: 'known.0' }]);
    const readCold = () => Array.fromAsync(other.listReplicas({ store: cold.begin(), now: Date.now() }, query));
    const start = await trace(readCold);
    await setRseAttribute(asRoot(), { rse: workload.rse(0), key: 'tier', value: 1 });
    const afterChange = await trace(readCold);
    return { operations, background, start, afterChange };
  } finally {
    engine.close();
  }
}
