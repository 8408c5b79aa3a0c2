import { mapParallel } from '../../rows/map-parallel.ts';
import type { Row } from '../../rows/sorted-rows.ts';
import { type GlobalPart, type Source, spread, textOf, without } from '../source.ts';

async function listRses({ session }: Source): Promise<{ readonly id: string; readonly rse: string }[]> {
  return (await session.rows('GET', '/rses/')).map(({ id, rse }) => ({ id: textOf(id), rse: textOf(rse) }));
}

async function* readByRse(source: Source, read: (rse: string) => Promise<Row[]>): AsyncGenerator<Row> {
  const names = (await listRses(source)).map(({ rse }) => rse);
  for await (const rows of mapParallel(names, source.parallel, read)) yield* rows;
}

const pathOfRse = (rse: string) => `/rses/${encodeURIComponent(rse)}`;

/** RSEs with their ids, settings, attributes, protocols, limits and QoS policies, each a member of its own. */
const rses: GlobalPart = {
  name: 'rses',
  read: (source) =>
    readByRse(source, async (rse) => {
      const path = pathOfRse(rse);
      const ask = (what: string) => source.session.json(path + what);
      const settings = (await ask('')) as Record<string, unknown>;
      const [attributes, limits, policies] = await Promise.all([ask('/attr/'), ask('/limits'), ask('/qos_policy')]);
      const protocols = (settings['protocols'] ?? []) as readonly Record<string, unknown>[];
      const byUrl = protocols.map((protocol) => {
        const { scheme, hostname, port } = protocol;
        return [`${textOf(scheme)}://${textOf(hostname)}:${textOf(port)}`, protocol] as const;
      });
      const value = {
        ...without(settings, 'protocols', 'attributes'),
        ...spread('attribute', attributes),
        ...spread('limit', limits),
        ...spread('protocol', Object.fromEntries(byUrl)),
        'qos policies': Array.isArray(policies) ? policies.map(textOf).sort() : policies,
      };
      return [{ key: rse, value }];
    }),
};

const rseUsage: GlobalPart = {
  name: 'rse-usage',
  isLast: true,
  read: (source) =>
    readByRse(source, async (rse) => {
      const rows = await source.session.rows('GET', `${pathOfRse(rse)}/usage`);
      return rows.map((row) => ({
        key: `${rse} ${textOf(row['source'])}`,
        value: without(row, 'rse', 'rse_id', 'source'),
      }));
    }),
};

/** One request reads them all; ids are translated to names, since each server has its own. */
const distances: GlobalPart = {
  name: 'distances',
  async *read(source) {
    const names = new Map((await listRses(source)).map(({ id, rse }) => [id, rse]));
    const answer = (await source.session.json('/export/')) as { distances?: Distances };
    for (const [from, destinations] of Object.entries(answer.distances ?? {})) {
      for (const [to, value] of Object.entries(destinations)) {
        const key = `${names.get(from) ?? from} -> ${names.get(to) ?? to}`;
        yield {
          key,
          value: typeof value === 'object' && value !== null ? { distance: value.distance } : { distance: value },
        };
      }
    }
  },
};

type Distances = Readonly<Record<string, Readonly<Record<string, { readonly distance?: unknown } | number | null>>>>;

/** The parts about RSEs. */
export const rseParts: readonly GlobalPart[] = [rses, rseUsage, distances];
