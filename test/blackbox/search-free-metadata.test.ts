/**
 * Searches by free metadata keys, which are indexed from their first use. `explain` says by which list a search was answered;
 * the rows are held against what the values say.
 */
import { beforeAll, describe, expect, it } from 'vitest';

import { asRoot, newScope, uniqueName } from '../support/server.ts';

const root = asRoot();
const rse = uniqueName('disk').toUpperCase();
let scope: string;
let other: string;

type Meta = Readonly<Record<string, unknown>>;

/** Numbers of all kinds, as numbers and as texts, in the order of their values. */
const energies: readonly unknown[] = [
  -1e300,
  '-12.5',
  -2,
  '-1e-3',
  0,
  '0.25',
  7,
  '7.5',
  10,
  '0100',
  1_000,
  2 ** 53,
  '9007199254740994',
  1e25,
];
const tags = ['alpha', 'alpha.1', 'alpha.2', 'beta', 'beta max', 'beta#1', 'é', '\u{1F434}', '2026-11-21', '12'];
const days = ['2026-11-20', '2026-11-21T00:00:00Z', 'Sat, 21 Nov 2026 12:00:00 UTC', '2026-11-22 10:00:00'];

const metaOf = (index: number): Meta => ({
  energy: energies[index % energies.length],
  tag: tags[index % tags.length],
  good: index % 2 === 0,
  day: days[index % days.length],
  ...(index % 7 === 0 ? { rare: index } : {}),
  words: `${'x'.repeat(300)}${index % 3}`,
  campaign: index % 2 === 0 ? 'mc26' : 'mc27',
});
const numbered = (prefix: string, index: number) => `${prefix}.${String(index).padStart(3, '0')}`;

beforeAll(async () => {
  [scope, other] = [await newScope(), await newScope()];
  await root.post(`/rses/${rse}`);
  const dids = Array.from({ length: 60 }, (_value, index) => ({
    scope,
    name: numbered('file', index),
    bytes: index,
    meta: metaOf(index),
  }));
  const all = await root.post(`/dids/${scope}/all`, { type: 'DATASET', rse, dids });
  expect(all.status, all.text).toBe(201);
  const sets = Array.from({ length: 20 }, (_value, index) => ({
    scope,
    name: numbered('set', index),
    type: 'DATASET',
    meta: metaOf(index),
  }));
  expect((await root.post('/dids', sets)).status).toBe(201);
});

const ask = async (query: string, within = scope) => (await root.get(`/dids/${within}/dids/search?${query}`)).lines();
interface Plan {
  readonly source: string;
  readonly keys?: string[];
  readonly by?: Record<string, string>;
  readonly filtered?: Record<string, string>;
}
const plansOf = async (query: string, within = scope): Promise<Plan[]> => {
  const [explained] = (await ask(`${query}&explain=true`, within)) as { plan: Plan[] }[];
  return explained?.plan ?? [];
};

/** The names of the DIDs made above that fit. */
function expected(fits: (meta: Meta, index: number) => boolean, kinds: readonly ('file' | 'set')[]): string[] {
  const sizes = { file: 60, set: 20 };
  return kinds.flatMap((kind) =>
    Array.from({ length: sizes[kind] }, (_value, index) => index)
      .filter((index) => fits(metaOf(index), index))
      .map((index) => numbered(kind, index)),
  );
}

const both: ('file' | 'set')[] = ['file', 'set'];
const energyOf = (meta: Meta) => Number(meta['energy']);
const tagOf = (meta: Meta) => String(meta['tag']);
const dayOf = (meta: Meta) => Date.parse(String(meta['day']).replace(/^(.{10})$/, '$1T00:00:00Z'));

describe('a search by a free metadata key reads its list (dids 3.2, 3.3)', () => {
  it.each<[string, string, (meta: Meta, index: number) => boolean, ('file' | 'set')[]]>([
    ['tag=alpha', 'equality', (meta) => meta['tag'] === 'alpha', both],
    ['type=file&tag=beta%231', 'equality', (meta) => meta['tag'] === 'beta#1', ['file']],
    ['type=file&tag=beta%20max', 'equality', (meta) => meta['tag'] === 'beta max', ['file']],
    ['type=file&tag=%F0%9F%90%B4', 'equality', (meta) => meta['tag'] === '\u{1F434}', ['file']],
    ['type=file&energy=7.0', 'equality', (meta) => meta['energy'] === 7, ['file']],
    ['type=file&energy=100', 'equality', (meta) => meta['energy'] === '0100', ['file']],
    ['type=file&energy=9007199254740992', 'equality', (meta) => energyOf(meta) === 2 ** 53, ['file']],
    ['type=file&good=true', 'equality', (meta) => meta['good'] === true, ['file']],
    ['type=file&day=2026-11-21', 'equality', (meta) => dayOf(meta) === Date.UTC(2026, 10, 21), ['file']],
    [`type=file&words=${'x'.repeat(300)}1`, 'equality', (_meta, index) => index % 3 === 1, ['file']],
  ])('%s', async (query, by, fits, kinds) => {
    const [plan] = await plansOf(query);
    expect(plan).toMatchObject({ source: 'index', by: { [query.split('&').at(-1)?.split('=')[0] ?? '']: by } });
    expect(await ask(query)).toEqual(expected(fits, kinds));
  });

  it.each<[string, string, (meta: Meta, index: number) => boolean]>([
    ['energy.gt=7', 'range', (meta) => energyOf(meta) > 7],
    ['energy.gte=7', 'range', (meta) => energyOf(meta) >= 7],
    ['energy.lt=-0.001', 'range', (meta) => energyOf(meta) < -0.001],
    ['energy.lte=-0.001', 'range', (meta) => energyOf(meta) <= -0.001],
    ['energy.gt=-3&energy.lt=8', 'range', (meta) => energyOf(meta) > -3 && energyOf(meta) < 8],
    ['energy.gt=9007199254740993', 'range', (meta) => energyOf(meta) > 2 ** 53],
    ['energy.gt=8&energy.lt=3', 'range', () => false],
    ['tag.gte=beta', 'range', (meta) => tagOf(meta) >= 'beta'],
    ['tag.lt=alpha.2', 'range', (meta) => tagOf(meta) < 'alpha.2'],
    ['tag.gt=%C3%A8', 'range', (meta) => tagOf(meta) > 'è'],
    ['tag=alpha*', 'prefix', (meta) => tagOf(meta).startsWith('alpha')],
    ['tag=beta*1', 'prefix', (meta) => tagOf(meta) === 'beta#1'],
    ['tag=1*', 'prefix', (meta) => tagOf(meta) === '12'],
    ['tag=*a*', 'presence', (meta) => tagOf(meta).includes('a')],
    ['tag.ne=alpha', 'presence', (meta) => tagOf(meta) !== 'alpha'],
    ['rare.ne=7', 'presence', (meta) => meta['rare'] !== undefined && meta['rare'] !== 7],
    ['day.gt=2026-11-21', 'range', (meta) => dayOf(meta) > Date.UTC(2026, 10, 21)],
    ['day.lte=2026-11-21', 'range', (meta) => dayOf(meta) <= Date.UTC(2026, 10, 21)],
    ['good.gt=false', 'range', (meta) => meta['good'] === true],
    [`words.gt=${'x'.repeat(300)}0`, 'range', (meta) => String(meta['words']) > `${'x'.repeat(300)}0`],
  ])('%s: a range, in any order', async (query, by, fits) => {
    const key = query.split(/[.=]/)[0] ?? '';
    for (const [type, kinds] of [
      ['file', ['file']],
      ['all', both],
    ] as const) {
      const rows = (await ask(`type=${type}&${query}`)) as string[];
      expect(rows.toSorted()).toEqual(expected(fits, [...kinds]));
    }
    const [plan] = await plansOf(query);
    expect(plan).toMatchObject(
      plan?.source === 'nothing' ? { source: 'nothing' } : { source: 'index', by: { [key]: by } },
    );
  });

  it.each<[string, (meta: Meta, index: number) => boolean]>([
    ['tag=alpha&good=true', (meta) => meta['tag'] === 'alpha' && meta['good'] === true],
    ['tag=alpha&energy.gt=5', (meta) => meta['tag'] === 'alpha' && energyOf(meta) > 5],
    ['campaign=mc26&tag=beta', (meta) => meta['campaign'] === 'mc26' && meta['tag'] === 'beta'],
    ['energy.gt=5&tag.gte=beta', (meta) => energyOf(meta) > 5 && tagOf(meta) >= 'beta'],
    ['energy.gt=5&bytes.lt=30', (meta, index) => energyOf(meta) > 5 && index < 30],
    ['rare.gt=0&name=file.02*', (meta, index) => meta['rare'] !== undefined && index >= 20 && index < 30],
    ['tag=alpha&absent=1', () => false],
  ])('%s: of several conditions, in name order', async (query, fits) => {
    expect((await plansOf(`type=file&${query}`))[0]?.source).toBe('index');
    expect(await ask(`type=file&${query}`)).toEqual(expected(fits, ['file']));
  });

  it('groups are alternatives: in name order, each DID once', async () => {
    const filters = encodeURIComponent("[{'energy.gt': 5}, {'tag': 'alpha'}, {'energy.lt': 100}]");
    expect(await ask(`type=file&filters=${filters}`)).toEqual(expected(() => true, ['file']));
  });

  it('the long form has the sizes, of files and of collections', async () => {
    const rows = (await ask('type=all&rare.gte=14&long=true')) as { name: string; bytes: number; did_type: string }[];
    const found = rows.map(({ name, did_type, bytes }) => [name, did_type, bytes] as const);
    expect(found.toSorted(([one], [two]) => (one < two ? -1 : 1))).toEqual([
      ...[14, 21, 28, 35, 42, 49, 56].map((index) => [numbered('file', index), 'FILE', index]),
      [numbered('set', 14), 'DATASET', 0],
    ]);
  });

  it('pages of a range hold each row once', async () => {
    const seen: unknown[] = [];
    let path = `/dids/${scope}/dids/search?type=all&energy.gt=-5&limit=7`;
    for (let page = 0; page < 20 && path !== ''; page += 1) {
      const answer = await root.get(path);
      expect(answer.status).toBe(200);
      seen.push(...answer.lines());
      path = /<(?:https?:\/\/[^/]+)?([^>]+)>; *rel="next"/.exec(answer.headers.get('link') ?? '')?.[1] ?? '';
    }
    expect(seen.length).toBeGreaterThan(14);
    expect((seen as string[]).toSorted()).toEqual(expected((meta) => energyOf(meta) > -5, both));
  });

  it('a key that nobody has set finds nothing, and reads no DID', async () => {
    expect(await ask('type=file&nobody=1')).toEqual([]);
    expect((await plansOf('type=file&nobody=1'))[0]?.source).not.toBe('scope');
  });

  it('a missing value is no condition for the index', async () => {
    expect(await ask('type=file&rare=None')).toEqual(expected((meta) => meta['rare'] === undefined, ['file']));
    expect(await plansOf('type=file&rare=None')).toMatchObject([
      { source: 'scope', filtered: { rare: 'missing value' } },
    ]);
  });
});

describe('the lists follow changes of DIDs (dids 2.16, 2.17)', () => {
  const find = (query: string) => ask(`type=all&${query}`, other);
  const set = async (name: string, meta: Meta) =>
    expect((await root.post(`/dids/${other}/${name}/meta`, { meta })).status).toBeLessThan(300);
  const make = async (name: string, meta: Meta) =>
    expect((await root.post(`/dids/${other}/${name}`, { type: 'DATASET', meta })).status).toBe(201);

  it('a value that is set, changed, made a list, and deleted', async () => {
    await make('moving', { first: 1 });
    expect(await find('first=1')).toEqual(['moving']);
    await set('moving', { first: 2, second: 'b' });
    expect([await find('first=1'), await find('first=2'), await find('second=b')]).toEqual([
      [],
      ['moving'],
      ['moving'],
    ]);
    await set('moving', { first: [1, 2] });
    expect([await find('first=2'), await find('first.gt=0')]).toEqual([[], []]);
    await set('moving', { first: '2.0' });
    expect(await find('first=2')).toEqual(['moving']);
    expect((await root.delete(`/dids/${other}/moving/meta?key=first`)).status).toBe(200);
    expect([await find('first=2'), await find('second=b')]).toEqual([[], ['moving']]);
  });

  it('200 keys at once', async () => {
    await make('wide', Object.fromEntries(Array.from({ length: 150 }, (_value, index) => [`key${index}`, index])));
    expect([await find('key149=149'), await find('key3.gt=2')]).toEqual([['wide'], ['wide']]);
  });

  it('beyond 200 keys of a scope a key is filtered, and explain says so', async () => {
    const own = await newScope();
    const many = Object.fromEntries(Array.from({ length: 200 }, (_value, index) => [`k${index}`, index]));
    expect((await root.post(`/dids/${own}/full`, { type: 'DATASET', meta: many })).status).toBe(201);
    const meta = { late: 'yes', k5: 'other' };
    expect((await root.post(`/dids/${own}/later`, { type: 'DATASET', meta })).status).toBe(201);
    expect(await ask('type=all&late=yes', own)).toEqual(['later']);
    expect(await plansOf('type=all&late=yes', own)).toMatchObject([
      { source: 'scope', filtered: { late: 'beyond max_keys_per_scope' } },
    ]);
    expect(await ask('type=all&k5=other', own)).toEqual(['later']);
    expect(await plansOf('type=all&k5=other', own)).toMatchObject([{ source: 'index' }]);
  });

  it('32 concurrent callers set a key each: no one fails, all are found', async () => {
    await make('shared', { first: 0 });
    const keys = Array.from({ length: 32 }, (_value, index) => `key${index}`);
    const answers = await Promise.all(
      keys.map((key, index) => root.post(`/dids/${other}/shared/meta/${key}`, { value: `v${index}` })),
    );
    expect(answers.map(({ status }) => status)).toEqual(keys.map(() => 201));
    expect(await Promise.all(keys.map((key, index) => find(`${key}=v${index}`)))).toEqual(keys.map(() => ['shared']));
  });

  it('32 concurrent callers set the same key: one value is found, and the DID has it', async () => {
    await make('contested', {});
    const values = Array.from({ length: 32 }, (_value, index) => 3000 + index);
    const answers = await Promise.all(
      values.map((value) => root.post(`/dids/${other}/contested/meta/contested`, { value })),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(await find('contested.gte=3000')).toEqual(['contested']);
    expect((await Promise.all(values.map((value) => find(`contested=${value}`)))).flat()).toEqual(['contested']);
  });
});
