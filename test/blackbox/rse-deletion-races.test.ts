import { expect, it } from 'vitest';

import { addRse } from '../support/rses.ts';
import { type Answer, asRoot, newScope, uniqueName } from '../support/server.ts';
import { volumeOf } from '../support/volume.ts';

/** Pairs of each kind of request with a deletion. */
const pairsOfEach = volumeOf('racesOfDeletions');

/** Requests that put a replica of a file, new or known, on an RSE. */
const placements: Readonly<Record<string, (target: Target) => Promise<Answer>>> = {
  'POST /replicas': ({ rse, scope, name }) => asRoot().post('/replicas', { rse, files: [{ scope, name, bytes: 1 }] }),
  'POST /dids with an RSE': ({ rse, scope, name }) =>
    asRoot().post(`/dids/${scope}/ds.${name}`, { type: 'DATASET', rse, dids: [{ scope, name, bytes: 1 }] }),
  'POST /rules': ({ rse, scope, known }) =>
    asRoot().post('/rules/', { dids: [{ scope, name: known }], account: 'root', copies: 1, rse_expression: rse }),
};

interface Target {
  readonly rse: string;
  readonly scope: string;
  /** Of a new file. */
  readonly name: string;
  /** Of a file with a replica elsewhere. */
  readonly known: string;
}

const isDisabled = async (rse: string) => ((await asRoot().get(`/rses/${rse}`)).status === 200 ? 'live' : 'disabled');

it('of a request that puts a replica on an RSE and its deletion at the same time only one succeeds', async () => {
  const scope = await newScope();
  const home = await addRse();
  const knownFiles = Array.from({ length: pairsOfEach }, () => ({ scope, name: uniqueName('known'), bytes: 1 }));
  await asRoot().post('/replicas', { rse: home, files: knownFiles });
  for (const [kind, place] of Object.entries(placements)) {
    const pairs = Array.from({ length: pairsOfEach }, async (_value, index) => {
      const [rse, known] = [await addRse(), knownFiles[index]?.name ?? ''];
      await asRoot().post(`/accounts/root/limits/local/${rse}`, { bytes: -1 });
      const target = { rse, scope, name: uniqueName('new'), known };
      const requests = [() => place(target), () => asRoot().delete(`/rses/${rse}`)];
      const answers = await Promise.all((index % 2 === 0 ? requests : requests.toReversed()).map((send) => send()));
      const [placed, deleted] = index % 2 === 0 ? answers : answers.toReversed();
      const file = kind === 'POST /rules' ? known : target.name;
      const found = await asRoot().post('/replicas/list', { dids: [{ scope, name: file }], all_states: true });
      const isThere = found.text.includes(rse);
      return { kind, placed: placed?.status, deleted: deleted?.status, rse: await isDisabled(rse), isThere };
    });
    for (const pair of await Promise.all(pairs)) {
      const refused = kind === 'POST /rules' ? 409 : 404;
      expect([
        { kind, placed: 201, deleted: 404, rse: 'live', isThere: true },
        { kind, placed: refused, deleted: 200, rse: 'disabled', isThere: false },
      ]).toContainEqual(pair);
    }
  }
});
