import { beforeEach, describe, expect, it } from 'vitest';

import { countReplicaLocks } from '../../../lib/domain/values/replica-state.ts';
import { deleteReplicas } from '../../../lib/operations/replicas/delete-replicas.ts';
import { setTombstone } from '../../../lib/operations/replicas/set-tombstone.ts';
import { updateReplicas } from '../../../lib/operations/replicas/update-replicas.ts';
import { setRseAttribute } from '../../../lib/operations/rses/set-attribute.ts';
import { asFile, getDid, type Replica } from '../../../lib/store/entities/did.ts';
import { getRse } from '../../../lib/store/entities/rse.ts';
import { type Catalogue, data, newCatalogue } from '../dids/catalogue.ts';
import { placeRule } from './place-rule.ts';

let catalogue: Catalogue;
let rseId: string;

beforeEach(async () => {
  catalogue = await newCatalogue();
  rseId = (await getRse(catalogue.at().store.table, 'DISK'))?.id ?? '';
  await catalogue.add('ds', 'DATASET');
  await catalogue.attach('ds', ['f', 'g'], 1);
});

const read = async (name: string): Promise<Replica> => {
  const file = asFile(await getDid(catalogue.at().store.table, data(name)));
  const replica = file?.replicas.get(rseId);
  if (replica === undefined) throw new Error(`${name} has no replica`);
  return replica;
};

/** Inserts a rule that locks the replica of a file. */
const lock = (name: string) => placeRule(catalogue, rseId, { locks: { [name]: { lock: 'O' } } });

const named = (name: string) => ({ rse: 'DISK', ...data(name) });
const isLocked = { name: 'ReplicaIsLocked', message: 'Replica data:g on RSE DISK is locked.' };

describe('a replica with a lock (replication 1.3, 1.7)', () => {
  it('is counted, and gets no tombstone', async () => {
    await setTombstone(catalogue.at(), [named('f')]);
    expect(await read('f')).toMatchObject({ state: 'A', tombstone: 0 });
    await lock('g');
    expect(countReplicaLocks(await read('g'))).toBe(1);
    await expect(setTombstone(catalogue.at(), [named('f'), named('g')])).rejects.toMatchObject(isLocked);
    expect(await read('g')).not.toHaveProperty('tombstone');
  });

  it('is not deleted, and neither are other replicas of the same request', async () => {
    await lock('g');
    const deletion = { rse: 'DISK', files: [data('f'), data('g')], ignore_availability: false };
    await expect(deleteReplicas(catalogue.at(), deletion)).rejects.toMatchObject(isLocked);
    expect(await read('f')).toMatchObject({ state: 'A' });
  });

  it('cannot become BEING_DELETED, but accepts every other state', async () => {
    const rule = await lock('g');
    const put = (state: 'A' | 'U' | 'B') =>
      updateReplicas(catalogue.at(), { rse: 'DISK', files: [{ ...data('g'), state }] });
    await expect(put('B')).rejects.toMatchObject(isLocked);
    await put('U');
    expect(await read('g')).toMatchObject({ state: 'U', locks: { [rule]: { state: 'S' } } });
  });
});

describe('the tombstone of a new replica (replication 1.2)', () => {
  it.each([
    ['-1', 0],
    ['0', undefined],
    ['x', undefined],
    ['3600', 3_600_000],
  ])('with a delay of %s seconds is %s', async (delay, delayMs) => {
    await setRseAttribute(catalogue.at(), { rse: 'DISK', key: 'tombstone_delay', value: delay });
    const now = Date.now();
    await catalogue.attach('ds', ['late'], 1);
    const { tombstone } = await read('late');
    if (delayMs === undefined || delayMs === 0) expect(tombstone).toBe(delayMs);
    else expect((tombstone ?? 0) - now - delayMs).toBeLessThan(60_000);
    if (delayMs) expect(tombstone).toBeGreaterThanOrEqual(now + delayMs);
  });

  it('is in the past for a replica that is being deleted', async () => {
    await updateReplicas(catalogue.at(), { rse: 'DISK', files: [{ ...data('f'), state: 'B' }] });
    expect(await read('f')).toMatchObject({ state: 'B', tombstone: 0 });
  });
});
