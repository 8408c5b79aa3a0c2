import type { Maker } from '../security/authorization/maker.ts';
import type { Attempt, Row, Rows } from '../security/authorization/row.ts';

/** Files of a bulk request: more than a transaction of the service holds. */
const bulkSize = 14;

const fileOf = (scope: string, name: string) => ({ scope, name, bytes: 10, adler32: '0cc737eb' });

/** Names of files that do not exist yet. */
const newNames = ({ name }: Maker) => {
  const prefix = name();
  return Array.from({ length: bulkSize }, (_value, index) => `${prefix}.${index}`);
};

/** Files with replicas on the shared RSE. */
async function files(make: Maker): Promise<string[]> {
  const names = newNames(make);
  const { scope, rse, as } = make;
  await as('post', '/replicas', { rse, files: names.map((name) => fileOf(scope, name)) });
  return names;
}

/** A dataset that holds files. */
async function filled(make: Maker): Promise<{ dataset: string; names: string[] }> {
  const [dataset, names] = [await make.dataset(), await files(make)];
  const dids = names.map((name) => ({ scope: make.scope, name }));
  await make.as('post', `/dids/${make.scope}/${dataset}/dids`, { dids });
  return { dataset, names };
}

async function datasets(make: Maker): Promise<string[]> {
  const names = newNames(make);
  const { scope, as } = make;
  await as(
    'post',
    '/dids',
    names.map((name) => ({ scope, name, type: 'DATASET' })),
  );
  return names;
}

/** A rule that asks for copies of a dataset on an RSE of its own. */
async function wanted(make: Maker, names: readonly string[]): Promise<{ rse: string; rule: string }> {
  const { scope, owner, newRse, as } = make;
  const [dataset, rse] = [await make.dataset(), await newRse()];
  await as('post', `/accounts/${owner}/limits/local/${rse}`, { bytes: 1e12 });
  await as('post', `/dids/${scope}/${dataset}/dids`, { dids: names.map((name) => ({ scope, name })) });
  const wish = { dids: [{ scope, name: dataset }], account: owner, copies: 1, rse_expression: rse };
  const [rule = ''] = JSON.parse(await as('post', '/rules', wish)) as string[];
  return { rse, rule };
}

/** Leases all transfers to an RSE, which the index shows late. */
async function leaseAll(make: Maker, rse: string, count: number): Promise<{ name: string; lease: string }[]> {
  const leased: { name: string; lease: string }[] = [];
  const wish = { holder: 'sweep', dst_rse: rse };
  while (leased.length < count) {
    leased.push(...(JSON.parse(await make.as('post', '/requests/lease', wish)) as typeof leased));
  }
  return leased;
}

const row = (attempt: (make: Maker) => Promise<Attempt> | Attempt): Row => ({ who: 'owner', attempt });

/** Requests large enough for a staged commit, and others that the rows of authorization lack. */
export const bulkRows: Rows = {
  addDids: row((make) => {
    const { scope } = make;
    const names = newNames(make);
    const body = names.map((name) => ({ scope, name, type: 'DATASET' }));
    return { path: '/dids', body, look: `/dids/${scope}/dids/search?name=${names[0]?.split('.')[0]}.*` };
  }),
  attachDids: [
    row(async (make) => {
      const { scope } = make;
      const path = `/dids/${scope}/${await make.dataset()}`;
      const dids = (await files(make)).map((name) => ({ scope, name }));
      return { path: `${path}/dids`, body: { dids }, look: path };
    }),
    row(async (make) => {
      const { scope, rse } = make;
      const path = `/dids/${scope}/${await make.dataset()}`;
      const dids = newNames(make).map((name) => fileOf(scope, name));
      return { path: `${path}/dids`, body: { dids, rse }, look: `${path}/dids` };
    }),
    row(async (make) => {
      const { scope, rse, name } = make;
      const path = `/dids/${scope}/${await make.dataset()}`;
      return { path: `${path}/dids`, body: { dids: [fileOf(scope, name())], rse }, look: path };
    }),
  ],
  attachDidsToDids: row(async (make) => {
    const { scope, rse } = make;
    const name = await make.dataset();
    const dids = newNames(make).map((file) => fileOf(scope, file));
    const body = { attachments: [{ scope, name, dids, rse }], ignore_duplicate: true };
    return { path: '/dids/attachments', body, look: `/dids/${scope}/${name}` };
  }),
  detachDids: row(async (make) => {
    const { scope } = make;
    const { dataset, names } = await filled(make);
    const path = `/dids/${scope}/${dataset}`;
    return { path: `${path}/dids`, body: { dids: names.map((name) => ({ scope, name })) }, look: path };
  }),
  setDidsMetadataBulk: row(async (make) => {
    const { scope } = make;
    const names = await datasets(make);
    const body = { dids: names.map((name) => ({ scope, name, meta: { colour: 'red', datatype: 'RAW' } })) };
    return {
      path: '/dids/bulkdidsmeta',
      body,
      look: `/dids/${scope}/dids/search?datatype=RAW&name=${names[0]?.split('.')[0]}.*`,
    };
  }),
  setMetadata: row(async (make) => {
    // Propagates to attachments.
    const { scope } = make;
    const { dataset, names } = await filled(make);
    return {
      path: `/dids/${scope}/${names[0]}/meta/events`,
      body: { value: 5 },
      look: `/dids/${scope}/${dataset}/files`,
    };
  }),
  addReplicas: row((make) => {
    const { scope, rse } = make;
    const names = newNames(make);
    const body = { rse, files: names.map((name) => fileOf(scope, name)) };
    return { path: '/replicas', body, look: `/dids/${scope}/dids/search?type=file&name=${names[0]?.split('.')[0]}.*` };
  }),
  updateReplicas: row(async (make) => {
    const { scope, rse } = make;
    const { dataset, names } = await filled(make);
    const body = { rse, files: names.map((name) => ({ scope, name, state: 'U' })) };
    return { path: '/replicas', body, look: `/replicas/${scope}/${dataset}/datasets?deep=True` };
  }),
  deleteReplicas: row(async (make) => {
    const { scope, rse } = make;
    const names = await files(make);
    const body = { rse, files: names.map((name) => ({ scope, name })) };
    return { path: '/replicas', body, look: `/dids/${scope}/dids/search?type=file&name=${names[0]?.split('.')[0]}.*` };
  }),
  setTombstone: row(async (make) => {
    const { scope, rse } = make;
    const replicas = (await files(make)).map((name) => ({ scope, name, rse }));
    return { path: '/replicas/tombstone', body: { replicas }, look: `/replicas/${scope}/${replicas[0]?.name}` };
  }),
  reduceRule: row(async (make) => {
    const { owner, newRse, as, rule } = make;
    const [one, two] = [await newRse(), await newRse()];
    for (const rse of [one, two]) await as('post', `/accounts/${owner}/limits/local/${rse}`, { bytes: 1e12 });
    const path = `/rules/${await rule({ copies: 2, rse_expression: `${one}|${two}` })}`;
    return { path: `${path}/reduce`, body: { copies: 1 }, look: path };
  }),
  addRules: row(async (make) => {
    const { scope, owner, newRse, as } = make;
    const [{ dataset }, rse] = [await filled(make), await newRse()];
    await as('post', `/accounts/${owner}/limits/local/${rse}`, { bytes: 1e12 });
    const body = { dids: [{ scope, name: dataset }], account: owner, copies: 1, rse_expression: rse };
    return { path: '/rules', body, look: `/dids/${scope}/${dataset}/rules` };
  }),
  leaseRequests: row(async (make) => {
    const { rse } = await wanted(make, [await make.file()]);
    const look = `/requests/list?src_rse=${make.rse}&dst_rse=${rse}&request_states=Q,G`;
    return { path: '/requests/lease', body: { holder: 'sweep', dst_rse: rse }, look };
  }),
  reportRequests: row(async (make) => {
    const { scope } = make;
    const { rse, rule } = await wanted(make, await files(make));
    const leased = await leaseAll(make, rse, bulkSize);
    const requests = leased.map(({ name, lease }) => ({ scope, name, lease, state: 'DONE', adler32: '0cc737eb' }));
    return { path: '/requests/report', body: { rse, requests }, look: `/rules/${rule}` };
  }),
};
