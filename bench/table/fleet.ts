import { parseArgs } from 'node:util';

import { type RequestRecord, startServerProcess } from '../../test/support/server-process.ts';

/*
 * A fleet in one request: RSEs with attributes and protocols and a full matrix of distances between some of them are
 * imported, exported, compared, imported again, and chosen by an expression. Prints the cost of each according to
 * the log of the server. Fails if an answer differs from the import.
 */

const { values } = parseArgs({
  options: {
    rses: { type: 'string', default: '1000' },
    near: { type: 'string', default: '200' },
  },
});
const [count, near] = [Number(values.rses), Number(values.near)];

interface Entry {
  readonly rse_type: string;
  readonly city: string;
  readonly country_name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly protocols: readonly object[];
  readonly MinFreeSpace: number;
}

const names = Array.from({ length: count }, (_value, index) => `SITE-${String(index).padStart(4, '0')}_DATADISK`);
const countries = ['NO', 'SE', 'DK', 'DE', 'FR'];
const entry = (name: string, index: number): Entry => ({
  rse_type: index % 10 === 0 ? 'TAPE' : 'DISK',
  city: `City ${index}`,
  country_name: countries[index % countries.length] ?? '',
  attributes: {
    tier: String(1 + (index % 3)),
    country: countries[index % countries.length] ?? '',
    site: name.slice(0, 9),
    type: 'DATADISK',
    freespace: String(index),
    ...Object.fromEntries(
      Array.from({ length: 5 }, (_value, key) => [`attribute_${key}`, `value ${index % (key + 2)}`]),
    ),
  },
  protocols: ['root', 'davs'].map((scheme, port) => ({
    scheme,
    hostname: `${name.slice(0, 9).toLowerCase()}.example.org`,
    port: 1094 + port,
    prefix: '/eos/data/rucio',
    impl: 'rucio.rse.protocols.gfal.Default',
    domains: { lan: { read: 1, write: 1, delete: 1 }, wan: { read: 1, write: 2, delete: 1, third_party_copy_read: 1 } },
    extended_attributes: null,
  })),
  MinFreeSpace: 10 ** 12 + index,
});
const distance = (a: number, b: number) => 1 + ((a * 31 + b) % 50);
const document = {
  rses: Object.fromEntries(names.map((name, index) => [name, entry(name, index)])),
  distances: Object.fromEntries(
    names
      .slice(0, near)
      .map((source, a) => [
        source,
        Object.fromEntries(
          names
            .slice(0, near)
            .flatMap((destination, b) => (a === b ? [] : [[destination, { distance: distance(a, b) }]])),
        ),
      ]),
  ),
};

const server = await startServerProcess(['--in-memory']);
try {
  const login = await fetch(`${server.url}/auth/userpass`, {
    headers: { 'X-Rucio-Account': 'root', 'X-Rucio-Username': 'ddmlab', 'X-Rucio-Password': 'secret' },
  });
  const headers = { 'X-Rucio-Auth-Token': login.headers.get('X-Rucio-Auth-Token') ?? '' };

  /** Sends a request and prints its record in the log of the server. */
  const send = async (what: string, method: string, path: string, body?: string): Promise<string> => {
    const before = server.records.length;
    const answer = await fetch(server.url + path, { method, headers, ...(body === undefined ? {} : { body }) });
    const text = await answer.text();
    if (answer.status >= 300) throw new Error(`${what}: ${answer.status} ${text.slice(0, 500)}`);
    print(what, await recordAfter(before), { sent: body?.length ?? 0, received: text.length });
    return text;
  };
  const recordAfter = async (before: number): Promise<RequestRecord> => {
    const record = server.records.slice(before).find(({ operation }) => operation !== undefined);
    return record ?? new Promise((resolve) => setTimeout(resolve, 20)).then(() => recordAfter(before));
  };
  const print = (what: string, record: RequestRecord, { sent, received }: { sent: number; received: number }) => {
    const { milliseconds, requests, roundTrips, rru, wru } = record;
    console.log(
      `${what}: ${milliseconds.toFixed(0)} ms, ${roundTrips} round trips, ${requests} requests, ${rru} RRU, ${wru} WRU, ` +
        `${(sent / 1e6).toFixed(2)} MB sent, ${(received / 1e6).toFixed(2)} MB received, ` +
        `${server.residentMemory().toFixed(0)} MB resident`,
    );
  };

  const distances = near * (near - 1);
  console.log(`${count} RSEs, 10 attributes and 2 protocols each, ${distances} distances`);
  await send('import', 'POST', '/import', JSON.stringify(document));
  const exported = await send('export', 'GET', '/export');
  compare(JSON.parse(exported) as Exported);
  await send('export without distances', 'GET', '/export?distance=false');
  await send('import the same again', 'POST', '/import', JSON.stringify(document));

  const { rses, distances: rows } = JSON.parse(exported) as Exported;
  await send('import the exported RSEs', 'POST', '/import', JSON.stringify({ rses }));
  await send('import the exported distances', 'POST', '/import', JSON.stringify({ distances: rows }));
  const farther = Object.fromEntries(
    Object.entries(rows)
      .slice(0, 10)
      .map(([source, row]) => [
        source,
        Object.fromEntries(Object.keys(row).map((destination) => [destination, { distance: 99 }])),
      ]),
  );
  await send('import other distances from 10 RSEs', 'POST', '/import', JSON.stringify({ distances: farther }));

  const expression = encodeURIComponent('tier=1&country=NO');
  await send('set an attribute', 'POST', `/rses/${names[0]}/attr/changed`, JSON.stringify({ value: true }));
  await send('GET /rses?expression=, cold', 'GET', `/rses?expression=${expression}`);
  for (let time = 1; time <= 3; time += 1) {
    const found = await send(`GET /rses?expression=, warm ${time}`, 'GET', `/rses?expression=${expression}`);
    const expected = names.filter((_name, index) => index % 3 === 0 && index % countries.length === 0);
    const lines = found.trim().split('\n');
    if (lines.length !== expected.length) throw new Error(`${lines.length} RSEs instead of ${expected.length}`);
  }
} finally {
  await server.stop();
}

interface Exported {
  readonly rses: Readonly<Record<string, Entry>>;
  readonly distances: Readonly<Record<string, Readonly<Record<string, { readonly distance: number }>>>>;
}

/** Fails unless an export equals the import. */
function compare({ rses, distances }: Exported): void {
  const problems = [
    Object.keys(rses).length === count ? '' : `${Object.keys(rses).length} RSEs`,
    ...names.map((name, index) => (covers(rses[name], entry(name, index)) ? '' : `${name} differs`)),
    ...Object.entries(document.distances).flatMap(([source, row]) =>
      Object.entries(row).map(([destination, wanted]) =>
        distances[source]?.[destination]?.distance === wanted.distance ? '' : `${source} to ${destination} differs`,
      ),
    ),
    Object.values(distances).reduce((sum, row) => sum + Object.keys(row).length, 0) === near * (near - 1)
      ? ''
      : 'other distances',
  ].filter(Boolean);
  if (problems.length > 0) throw new Error(`${problems.length} differences: ${problems.slice(0, 5).join(', ')}`);
  console.log('  the export says what was imported');
}

/** Whether a value contains all of another one; lists of objects are sorted by port. */
function covers(value: unknown, wanted: unknown): boolean {
  if (typeof wanted !== 'object' || wanted === null) return value === wanted;
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(wanted)) {
    return wanted.every((member) => (value as unknown[]).some((candidate) => covers(candidate, member)));
  }
  return Object.entries(wanted).every(([key, member]) => covers((value as Record<string, unknown>)[key], member));
}
