import { beforeAll, describe, expect, it } from 'vitest';

import { asRoot, type Client, expectCreated, expectError, newAccount, nobody, uniqueName } from '../support/server.ts';

/*
 * No import here names an account: it would delete those of all other tests. test/domain/fleet has them.
 */

type RseRecord = Record<string, unknown> & { id: string; attributes: Record<string, unknown>; protocols: unknown[] };
type Rses = Record<string, RseRecord>;
type Distances = Record<string, Record<string, Record<string, unknown>>>;

const root = asRoot();
const impl = 'rucio.rse.protocols.mock.Default';

let alice: Client;
let admin: Client;
beforeAll(async () => {
  [alice, admin] = await Promise.all([newAccount(), newAccount({ admin: true })]);
});

const newName = () => uniqueName('RSE').toUpperCase();

/** The part of the export about some RSEs. */
async function exportOf(names: readonly string[]): Promise<{ rses: Rses; distances: Distances }> {
  const answer = await root.get('/export');
  expect(answer.status).toBe(200);
  expect(answer.headers.get('Content-Type')).toBe('application/json');
  const { rses, distances } = answer.json() as { rses: Rses; distances: Distances };
  const own = <T>(all: Record<string, T>) =>
    Object.fromEntries(Object.entries(all).filter(([name]) => names.includes(name)));
  return { rses: own(rses), distances: own(distances) };
}

/** Of a record in an export, sorted. */
const keys =
  'MinFreeSpace attributes availability availability_delete availability_read availability_write city country_name ' +
  'created_at credentials deterministic id latitude lfn2pfn_algorithm longitude protocols qos_class region_code rse ' +
  'rse_type staging_area time_zone updated_at verify_checksum vo volatile';

describe('import and export (rses 1.29, 1.30)', () => {
  const names = Array.from({ length: 20 }, newName);
  const near = names.slice(0, 10);
  const entry = (name: string, index: number) => ({
    rse_type: index % 2 === 0 ? 'DISK' : 'TAPE',
    city: 'Genève',
    availability_write: index % 3 === 0,
    attributes: { tier: index, site: `SITE-${index}` },
    protocols: ['a', 'b'].map((host) => ({
      scheme: 'davs',
      hostname: `${host}.${name.toLowerCase()}`,
      port: 443,
      prefix: '/data/',
      impl,
      domains: { wan: { read: 1, write: index } },
      extended_attributes: { space_token: 'DATA', numbers: [1, 2] },
    })),
    MinFreeSpace: 10 ** 12 + index,
  });
  const document = {
    rses: Object.fromEntries(names.map((name, index) => [name, entry(name, index)])),
    distances: Object.fromEntries(
      near.map((source, a) => [
        source,
        Object.fromEntries(
          near.flatMap((destination, b) => (a === b ? [] : [[destination, { distance: 10 * a + b }]])),
        ),
      ]),
    ),
  };

  it('one request creates 20 RSEs with all their settings and the distances of 10', async () => {
    expectCreated(await root.post('/import', document));
    const { rses, distances } = await exportOf(names);
    expect(Object.keys(rses)).toEqual(names.toSorted((a, b) => (a < b ? -1 : 1)));
    for (const [index, name] of names.entries()) {
      const { protocols, attributes, MinFreeSpace, ...given } = entry(name, index);
      expect(rses[name]).toMatchObject({
        ...given,
        rse: name,
        vo: 'def',
        MinFreeSpace,
        availability: index % 3 === 0 ? 7 : 5,
      });
      expect(rses[name]?.attributes).toEqual({
        [name]: true,
        city: 'Genève',
        tier: String(index),
        site: attributes.site,
      });
      expect(rses[name]?.protocols).toMatchObject(protocols);
    }
    expect(
      Object.fromEntries(
        Object.entries(distances).map(([source, row]) => [
          source,
          Object.fromEntries(Object.entries(row).map(([destination, { distance }]) => [destination, { distance }])),
        ]),
      ),
    ).toEqual(document.distances);
  });

  it('an export can be imported as it is: the second time it changes nothing', async () => {
    const before = await exportOf(names);
    expectCreated(await root.post('/import/', before));
    const after = await exportOf(names);
    for (const name of names) {
      const { attributes, updated_at: _then, ...rest } = before.rses[name] as RseRecord;
      expect(after.rses[name]).toMatchObject(rest);
      // Other shown properties become attributes, and so does a location that is null (rses 1.4).
      expect(after.rses[name]?.attributes).toEqual({
        ...attributes,
        lfn2pfn_algorithm: 'hash',
        verify_checksum: true,
        country_name: null,
        region_code: null,
        time_zone: null,
      });
    }
    expect(after.distances).toEqual(before.distances);
    expectCreated(await root.post('/import', after));
    expect(await exportOf(names)).toEqual(after);
  });

  it('a record of an export has these keys', async () => {
    const { rses, distances } = await exportOf(names);
    const [name = ''] = names;
    expect(Object.keys(rses[name] as object).toSorted((a, b) => (a < b ? -1 : 1))).toEqual(keys.split(' '));
    const [source = '', destination = ''] = near;
    const date = expect.stringMatching(/ UTC$/) as unknown;
    expect(distances[source]?.[destination]).toEqual({
      src_rse_id: rses[source]?.id,
      dest_rse_id: rses[destination]?.id,
      distance: 1,
      ranking: 1,
      created_at: date,
      updated_at: date,
    });
  });

  it('expressions and distances follow an import at once', async () => {
    const tag = uniqueName('tag');
    const [first = '', second = ''] = names;
    expectCreated(
      await root.post('/import', {
        rses: Object.fromEntries(names.map((name) => [name, { attributes: { [tag]: true } }])),
        distances: { [first]: { [second]: { distance: 99 } } },
      }),
    );
    const found = (await alice.get(`/rses?expression=${tag}`)).lines() as { rse: string }[];
    expect(found.map(({ rse }) => rse)).toEqual(names.toSorted((a, b) => (a < b ? -1 : 1)));
    expect((await alice.get(`/rses/${first}/distances/${second}`)).json()).toMatchObject([{ distance: 99 }]);
  });

  it('a disabled RSE is in no export but at the ends of distances, and comes back with its id', async () => {
    const [gone, other] = [newName(), newName()];
    const distances = { [gone]: { [other]: { distance: 1 } }, [other]: { [gone]: { distance: 2 } } };
    expectCreated(await root.post('/import', { rses: { [gone]: {}, [other]: {} }, distances }));
    const { id } = (await exportOf([gone])).rses[gone] as RseRecord;
    expect((await root.delete(`/rses/${gone}`)).status).toBe(200);
    const without = await exportOf([gone, other]);
    expect(Object.keys(without.rses)).toEqual([other]);
    expect(without.distances).toMatchObject(distances);
    expectCreated(await root.post('/import', { rses: { [gone]: {} } }));
    expect((await exportOf([gone])).rses[gone]).toMatchObject({ id, attributes: { [gone]: true } });
  });

  it('an export without distances has none', async () => {
    for (const value of ['false', '0', 'FALSE']) {
      expect(Object.keys((await root.get(`/export?distance=${value}`)).json() as object)).toEqual(['rses']);
    }
    expect(Object.keys((await root.get('/export/?distance=True')).json() as object)).toEqual(['rses', 'distances']);
  });
});

describe('what an export refuses (rses 1.29)', () => {
  it('other callers than root, an Accept without JSON, invalid booleans', async () => {
    for (const client of [alice, admin]) {
      const message = `Account ${client.account} can not export data. `;
      expectError(await client.get('/export'), 401, 'AccessDenied', message);
    }
    expectError(await nobody.get('/export'), 401, 'CannotAuthenticate');
    const headers = { Accept: 'application/x-json-stream' };
    expectError(await root.get('/export', { headers }), 406, 'UnsupportedRequestedContentType');
    for (const value of ['maybe', '']) {
      const answer = await root.get(`/export?distance=${value}`);
      expectError(answer, 400, 'TypeError', "'distance' must be a boolean type.");
    }
  });
});
