import { beforeAll, describe, expect, it } from 'vitest';

import type { RequestFilters } from '../../../lib/contract/schemas/request.ts';
import { rowsOf } from '../../../lib/domain/paging/page.ts';
import type { Context } from '../../../lib/domain/values/context.ts';
import { addReplicas } from '../../../lib/operations/replicas/add-replicas.ts';
import { updateReplicas } from '../../../lib/operations/replicas/update-replicas.ts';
import { getRequest } from '../../../lib/operations/requests/get-request.ts';
import { listRequests } from '../../../lib/operations/requests/list-requests.ts';
import { setRseAttribute } from '../../../lib/operations/rses/set-attribute.ts';
import { updateRse } from '../../../lib/operations/rses/update-rse.ts';
import { getRse } from '../../../lib/store/entities/rse.ts';
import { deleteRule } from '../../../lib/store/entities/rule-writes.ts';
import { measure } from '../../../lib/store/items/meter.ts';
import { type Catalogue, data, newCatalogue } from '../dids/catalogue.ts';
import { pagesOf } from '../paging/pages-of.ts';
import { placeRule, readRule } from '../replicas/place-rule.ts';

const names = Array.from({ length: 250 }, (_value, index) => `f${String(index).padStart(3, '0')}`);
let catalogue: Catalogue;
let rule: string;

const idOf = async (rse: string) => (await getRse(catalogue.at().store.table, rse))?.id ?? '';

beforeAll(async () => {
  catalogue = await newCatalogue(undefined, { TAPE: {}, DARK: {}, FAR: {} });
  await updateRse(catalogue.at(), 'DARK', { availability_read: false });
  await catalogue.add('ds', 'DATASET');
  await catalogue.attach('ds', names, 7);
  const more = {
    files: names.slice(0, 2).map((name) => Object.assign(data(name), { bytes: 7 })),
    ignore_availability: false,
  };
  await addReplicas(catalogue.at(), { rse: 'DARK', ...more });
  await addReplicas(catalogue.at(), { rse: 'FAR', ...more });
  const locks = Object.fromEntries(names.map((name) => [name, { state: 'C', lock: 'R' }] as const));
  rule = await placeRule(catalogue, await idOf('TAPE'), { locks, activity: 'Recall', priority: 4 });
});

const list = (filters: RequestFilters, context: Context = catalogue.at()) =>
  Array.fromAsync(rowsOf(listRequests(context, filters)));
const toTape = { src_rse: 'DISK', dst_rse: 'TAPE', request_states: 'Q' };

describe('requests (access 6.6)', () => {
  it('contain the file, the RSEs, and the properties of the rule', async () => {
    const record = await getRequest(catalogue.at(), data('f000'), 'TAPE');
    expect(record).toMatchObject({
      scope: 'data',
      name: 'f000',
      request_type: 'TRANSFER',
      did_type: 'FILE',
      state: 'QUEUED',
      dest_rse: 'TAPE',
      dest_rse_id: await idOf('TAPE'),
      source_rse: null,
      sources: ['DISK', 'FAR'],
      rule_id: rule,
      activity: 'Recall',
      account: 'root',
      priority: 4,
      bytes: 7,
      attributes: { activity: 'Recall', ds_scope: 'data', ds_name: 'ds', priority: 4, bytes: 7 },
    });
    const none = { name: 'RequestNotFound', message: 'No request found for DID data:f000 at RSE DISK' };
    await expect(getRequest(catalogue.at(), data('f000'), 'DISK')).rejects.toMatchObject(none);
    await expect(getRequest(catalogue.at(), data(''), 'TAPE')).rejects.toMatchObject({ name: 'RequestNotFound' });
    await expect(getRequest(catalogue.at(), data('f000'), 'NO')).rejects.toMatchObject({ name: 'RSENotFound' });
  });

  it('are listed for each source RSE that has the file', async () => {
    const lines = await list(toTape);
    expect(lines.map(({ name }) => name)).toEqual(names);
    const { attributes, ...line } = lines[0] ?? { attributes: '' };
    expect(line).toMatchObject({ source_rse: 'DISK', source_rse_id: await idOf('DISK'), dest_rse: 'TAPE' });
    expect(JSON.parse(attributes)).toMatchObject({ activity: 'Recall' });
    const far = await list({ ...toTape, src_rse: 'FAR' });
    expect(far.map(({ name, source_rse }) => [name, source_rse])).toEqual([
      ['f000', 'FAR'],
      ['f001', 'FAR'],
    ]);
    expect(await list({ ...toTape, src_rse: 'DARK' })).toEqual([]);
    expect(await list({ ...toTape, dst_rse: 'FAR' })).toEqual([]);
    expect(await list({ ...toTape, request_states: 'S,W' })).toEqual([]);
  });

  it('are also listed by expressions and by sites', async () => {
    expect(await list({ ...toTape, src_rse: '*', dst_rse: 'TAPE|FAR' })).toHaveLength(names.length);
    await setRseAttribute(catalogue.at(), { rse: 'FAR', key: 'site', value: 'AWAY' });
    await setRseAttribute(catalogue.at(), { rse: 'TAPE', key: 'site', value: 'HOME' });
    const sites = { src_site: 'AWAY', dst_site: 'HOME', request_states: 'Q' };
    expect(await list(sites)).toHaveLength(2);
    const unknown = { name: 'NotFound', message: 'Could not resolve site name NONE to RSE' };
    await expect(list({ ...sites, dst_site: 'NONE' })).rejects.toMatchObject(unknown);
  });

  it('have no sources when no readable RSE has the file', async () => {
    await updateReplicas(catalogue.at(), { rse: 'DISK', files: [{ ...data('f249'), state: 'U' }] });
    expect(await list({ ...toTape, request_states: 'Q,W' })).toHaveLength(249);
    const lines = await list({ ...toTape, request_states: 'N' });
    expect(lines).toMatchObject([{ name: 'f249', state: 'NO_SOURCES', source_rse: null, sources: [] }]);
    await updateReplicas(catalogue.at(), { rse: 'DISK', files: [{ ...data('f249'), state: 'A' }] });
  });

  it('use the source expression of the rule', async () => {
    const locks = { f000: { state: 'C', lock: 'R' } } as const;
    const id = await placeRule(catalogue, await idOf('DARK'), { locks, sourceReplicaExpression: 'FAR' });
    expect(await getRequest(catalogue.at(), data('f000'), 'DARK')).toMatchObject({ rule_id: id, sources: ['FAR'] });
    const empty = await placeRule(catalogue, await idOf('FAR'), {
      locks: { f001: { state: 'C', lock: 'R' } },
      sourceReplicaExpression: 'nothing=1',
    });
    const record = await getRequest(catalogue.at(), data('f001'), 'FAR');
    expect(record).toMatchObject({ rule_id: empty, sources: [], state: 'NO_SOURCES' });
  });

  it('are listed in pages without gaps', async () => {
    const filters = { ...toTape, dst_rse: '*', src_rse: '*', request_states: 'Q,N' };
    const all = (await list(filters)).map(({ dest_rse, name }) => `${dest_rse} ${name}`);
    const pages = await Array.fromAsync(pagesOf((page) => listRequests(catalogue.at(), filters, page), 100));
    expect(pages.flat().map(({ dest_rse, name }) => `${dest_rse} ${name}`)).toEqual(all);
  });

  it('are removed when the copy is done', async () => {
    await updateReplicas(catalogue.at(), { rse: 'TAPE', files: [{ ...data('f100'), state: 'A' }] });
    expect((await list(toTape)).map(({ name }) => name)).not.toContain('f100');
  });

  it('cost a read per file, a unit per twenty requests, and the read of the rule', async () => {
    const { cost } = await measure(() => list(toTape));
    expect(cost).toMatchObject({ wru: 0, roundTrips: 3 });
    expect(cost.rru).toBeLessThanOrEqual(250 + 250 / 15 + 4 + 3);
    const one = await measure(() => getRequest(catalogue.at(), data('f000'), 'TAPE'));
    expect(one.cost).toEqual({ rru: 4, wru: 0, requests: 4, roundTrips: 3 });
  });

  it('belong to another rule when the one that asked first is deleted', async () => {
    const gone = await readRule(catalogue, rule);
    const locks = { f002: { state: 'C', lock: 'R' } } as const;
    const other = await placeRule(catalogue, await idOf('TAPE'), { locks, activity: 'Express' });
    await catalogue.store.write(async () => deleteRule(gone));
    const record = await getRequest(catalogue.at(), data('f002'), 'TAPE');
    expect(record).toMatchObject({ rule_id: other, activity: 'Express', account: 'root' });
    const orphan = await getRequest(catalogue.at(), data('f003'), 'TAPE');
    expect(orphan).toMatchObject({ rule_id: rule, activity: 'default', account: null, state: 'QUEUED' });
  });
});

describe('an invalid filter of requests (access 6.6)', () => {
  it.each([
    [{}, 'MissingParameter', 'Request state is missing'],
    [{ request_states: 'Q', src_rse: 'DISK' }, 'MissingParameter', 'Destination RSE is missing'],
    [{ request_states: 'Q', dst_rse: 'DISK' }, 'MissingParameter', 'Source RSE is missing'],
    [{ request_states: 'Q', src_site: 'A' }, 'MissingParameter', 'Destination site is missing'],
    [{ request_states: 'Q', dst_site: 'A' }, 'MissingParameter', 'Source site is missing'],
    [{ ...toTape, request_states: 'Q,X' }, 'Invalid', 'Request state value is invalid'],
    [{ ...toTape, request_states: '__proto__' }, 'Invalid', 'Request state value is invalid'],
    [{ request_states: 'Q' }, 'RSENotFound', "RSE 'None' cannot be found in vo 'def'"],
    [{ ...toTape, dst_rse: 'NONE' }, 'RSENotFound', "RSE 'NONE' cannot be found in vo 'def'"],
    [{ ...toTape, dst_rse: 'a=(' }, 'InvalidRSEExpression', undefined],
  ])('%j is refused', async (filters, name, message) => {
    await expect(list(filters)).rejects.toMatchObject({ name, ...(message === undefined ? {} : { message }) });
  });
});
