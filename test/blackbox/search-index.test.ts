/**
 * Searches by the metadata keys that are indexed where the configuration does not say otherwise. What they answer is held
 * against what the same search answers when it is put so that no index can serve it.
 */
import { beforeAll, describe, expect, it } from 'vitest';

import { type Answer, asRoot, expectError, newScope, uniqueName } from '../support/server.ts';

const root = asRoot();
const rse = uniqueName('disk').toUpperCase();
let scope: string;
let other: string;

type Meta = Readonly<Record<string, unknown>>;
const metaOf = (index: number): Meta => ({
  run_number: 358_031 + (index % 5),
  ...(index % 3 === 0 ? {} : { datatype: index % 3 === 1 ? 'AOD' : 'RAW' }),
  ...(index % 2 === 0 ? { campaign: 'mc26', task_id: 7 } : {}),
  shift: index % 4 === 0 ? 'night' : 'day',
});
const numbered = (prefix: string, index: number) => `${prefix}.${String(index).padStart(3, '0')}`;

beforeAll(async () => {
  [scope, other] = [await newScope(), await newScope()];
  await root.post(`/rses/${rse}`);
  for (const one of [scope, other]) {
    const dids = Array.from({ length: 60 }, (_value, index) => ({
      scope: one,
      name: numbered('file', index),
      bytes: index,
      meta: metaOf(index),
    }));
    expectMade(await root.post(`/dids/${one}/all`, { type: 'DATASET', rse, dids }));
    const sets = Array.from({ length: 20 }, (_value, index) => ({
      scope: one,
      name: numbered('set', index),
      type: 'DATASET',
      meta: metaOf(index),
      dids: [{ scope: one, name: numbered('file', index) }],
    }));
    const made = await root.post('/dids', sets);
    expect(made.status).toBe(201);
  }
});

const ask = async (query: string, within = scope) => (await root.get(`/dids/${within}/dids/search?${query}`)).lines();

/** The names of the DIDs made above that fit. */
function expected(fits: (meta: Meta, index: number) => boolean, kinds: readonly ('file' | 'set')[]): string[] {
  const sizes = { file: 60, set: 20 };
  return kinds.flatMap((kind) =>
    Array.from({ length: sizes[kind] }, (_value, index) => index)
      .filter((index) => fits(metaOf(index), index))
      .map((index) => numbered(kind, index)),
  );
}

describe('searches by indexed metadata answer the right DIDs, in name order (dids 3.2 to 3.4)', () => {
  it.each<[string, (meta: Meta, index: number) => boolean, ('file' | 'set')[]]>([
    ['run_number=358031', (meta) => meta['run_number'] === 358_031, ['set']],
    ['type=file&run_number=358031', (meta) => meta['run_number'] === 358_031, ['file']],
    ['type=all&run_number=358031', (meta) => meta['run_number'] === 358_031, ['file', 'set']],
    ['type=file&datatype=AOD', (meta) => meta['datatype'] === 'AOD', ['file']],
    ['type=file&datatype=aod', () => false, ['file']],
    [
      'type=file&run_number=358031&datatype=AOD',
      (meta) => meta['run_number'] === 358_031 && meta['datatype'] === 'AOD',
      ['file'],
    ],
    [
      'type=all&datatype=RAW&campaign=mc26&task_id=7&run_number=358033',
      (meta) => meta['datatype'] === 'RAW' && meta['campaign'] === 'mc26' && meta['run_number'] === 358_033,
      ['file', 'set'],
    ],
    ['type=file&task_id=7&shift=night', (meta) => meta['task_id'] === 7 && meta['shift'] === 'night', ['file']],
    ['type=file&task_id=7&datatype.ne=AOD', (meta) => meta['task_id'] === 7 && meta['datatype'] !== 'AOD', ['file']],
    ['type=file&task_id=7&datatype=A*', (meta) => meta['task_id'] === 7 && meta['datatype'] === 'AOD', ['file']],
    [
      'type=file&run_number=358032&bytes.gt=20',
      (meta, index) => meta['run_number'] === 358_032 && index > 20,
      ['file'],
    ],
    [
      'type=file&datatype=AOD&name=file.01*',
      (meta, index) => meta['datatype'] === 'AOD' && index >= 10 && index < 20,
      ['file'],
    ],
    ['type=file&datatype=AOD&name=*7', (meta, index) => meta['datatype'] === 'AOD' && index % 10 === 7, ['file']],
    ['type=file&datatype=AOD&name=file.001', (_meta, index) => index === 1, ['file']],
    ['type=file&datatype=AOD&name=file.002', () => false, ['file']],
    ['type=container&datatype=AOD', () => false, ['set']],
    ['type=file&run_number=1', () => false, ['file']],
    ['type=file&task_id=007', (meta) => meta['task_id'] === 7, ['file']],
  ])('%s', async (query, fits, kinds) => {
    expect(await ask(query)).toEqual(expected(fits, kinds));
  });

  it('answers as without the index, in any order of conditions', async () => {
    for (const run of [358_031, 358_035, 358_036]) {
      const plain = await ask(`type=all&run_number.gte=${run}&run_number.lte=${run}`);
      expect(await ask(`type=all&run_number=${run}`)).toEqual(plain);
    }
  });

  it('groups are alternatives, each with its own plan', async () => {
    const filters = "[{'run_number': 358031}, {'datatype': 'AOD', 'name': 'set*'}, {'name': 'all'}]";
    const found = await ask(`type=dataset&filters=${encodeURIComponent(filters)}`);
    const sets = expected((meta) => meta['run_number'] === 358_031 || meta['datatype'] === 'AOD', ['set']);
    expect(found).toEqual(['all', ...sets]);
  });

  it('the long form has the sizes as they are', async () => {
    const rows = await ask('type=all&run_number=358031&campaign=mc26&long=True&name=*0');
    const row = (name: string, did_type: string, bytes: number, length: number | null) => ({
      scope,
      name,
      did_type,
      bytes,
      length,
    });
    expect(rows).toEqual([
      ...[0, 10, 20, 30, 40, 50].map((index) => row(numbered('file', index), 'FILE', index, null)),
      ...[0, 10].map((index) => row(numbered('set', index), 'DATASET', index, 1)),
    ]);
  });

  it('recursive: walks down from the hits of the index', async () => {
    expect(await ask('name=set.003&run_number=358034&type=all&recursive=True')).toEqual(['file.003', 'set.003']);
    expect(await ask('run_number=358034&datatype=RAW&type=all&recursive=True&name=set*')).toEqual([
      'file.008',
      'set.008',
    ]);
  });

  it('a limit ends it', async () => {
    const all = expected((meta) => meta['datatype'] === 'RAW', ['file']);
    expect(await ask('type=file&datatype=RAW&limit=7')).toEqual(all.slice(0, 7));
  });
});

describe('the index follows changes of DIDs (dids 2.16, 2.17, 2.23, 4.5)', () => {
  const find = (query: string) => ask(`type=all&${query}`, other);
  const set = async (name: string, key: string, value: unknown) =>
    expectMade(await root.post(`/dids/${other}/${name}/meta/${key}`, { value }));
  const make = async (name: string, meta: Meta) =>
    expectMade(await root.post(`/dids/${other}/${name}`, { type: 'DATASET', meta }));

  it('a value that is set, changed and deleted', async () => {
    await make('moving', {});
    expect(await find('task_id=1001')).toEqual([]);
    await set('moving', 'task_id', 1001);
    expect(await find('task_id=1001')).toEqual(['moving']);
    await set('moving', 'task_id', '1002');
    expect(await find('task_id=1001')).toEqual([]);
    expect(await find('task_id=1002')).toEqual(['moving']);
    await set('moving', 'campaign', 'moves');
    expect(await find('campaign=moves&task_id=1002')).toEqual(['moving']);
    await set('moving', 'task_id', null);
    expect(await find('task_id=1002')).toEqual([]);
    expect(await find('campaign=moves')).toEqual(['moving']);
  });

  it('values of many DIDs at once, and of children', async () => {
    const names = Array.from({ length: 30 }, (_value, index) => numbered('file', index));
    const dids = names.map((name) => ({ scope: other, name, meta: { campaign: 'bulk' } }));
    expectMade(await root.post('/dids/bulkdidsmeta', { dids }));
    expect(await find('campaign=bulk')).toEqual(names);
    await make('parent', {});
    const children = names.slice(0, 3).map((name) => ({ scope: other, name }));
    expect((await root.post(`/dids/${other}/parent/dids`, { dids: children })).status).toBe(201);
    expectMade(await root.post(`/dids/${other}/parent/meta`, { meta: { campaign: 'inherited' }, recursive: true }));
    expect(await find('campaign=inherited')).toEqual([...names.slice(0, 3), 'parent']);
    expect(await find('campaign=bulk')).toEqual(names.slice(3));
  });

  it('a failed request leaves no trace', async () => {
    const bad = { type: 'DATASET', meta: { task_id: 2001 }, dids: [{ scope: other, name: 'not-there' }] };
    expectError(await root.post(`/dids/${other}/failing`, bad), 404, 'DataIdentifierNotFound');
    expect(await find('task_id=2001')).toEqual([]);
    await make('taken', { task_id: 2002 });
    const again = await root.post(`/dids/${other}/taken`, { type: 'DATASET', meta: { task_id: 2003 } });
    expectError(again, 409, 'DataIdentifierAlreadyExists');
    expect(await find('task_id=2003')).toEqual([]);
    expect(await find('task_id=2002')).toEqual(['taken']);
  });

  it('20 concurrent callers set a value: one value is found, and the DID has it', async () => {
    await make('contested', {});
    const values = Array.from({ length: 20 }, (_value, index) => 3000 + index);
    await Promise.all(values.map((value) => set('contested', 'task_id', value)));
    const meta = (await root.get(`/dids/${other}/contested/meta`)).json() as { task_id: number };
    const found = await Promise.all(values.map((value) => find(`task_id=${value}`)));
    expect(found.flat()).toEqual(['contested']);
    expect(await find(`task_id=${meta.task_id}`)).toEqual(['contested']);
  });
});

/** Expects success, whatever the status and body of the route. */
function expectMade({ status, text }: Answer): void {
  expect([200, 201], `${status} ${text}`).toContain(status);
}
