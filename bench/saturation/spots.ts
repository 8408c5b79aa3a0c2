import type { Touch, Trace } from './touch.ts';

/** A place of the table whose throughput is bounded: an item, a partition, the whole table or an index. */
export interface Spot {
  readonly name: string;
  /**
   * `item`: never more than a partition gives. `append`: sort keys ascend, so that splitting does not help. `spread`: requests fall
   * on the whole range of sort keys. `whole`: requests fall on all partitions.
   */
  readonly kind: 'item' | 'append' | 'spread' | 'whole';
  /** Equal places among which the load is divided by lot or by hash. */
  readonly members: number;
}

/** Load of one request on a spot. */
export interface Share {
  readonly spot: number;
  readonly rru: number;
  readonly wru: number;
}

/** The spots of some traces, and what each trace takes from them. */
export interface SpotMap {
  readonly spots: readonly Spot[];
  readonly shares: readonly (readonly Share[])[];
}

/** Slots and shards: numbers at the end of a partition key, among which requests choose by lot or by hash. */
const slotPattern = /#\d{1,3}$/;
const familyOf = (pk: string) => pk.replace(slotPattern, '#*');

/** Fewer traces do not tell whether sort keys ascend. */
const minOrdered = 6;

/** A named place of load: its partitions, and the traces by operation. */
interface Named {
  readonly members: Set<string>;
  readonly traces: Map<number, Set<number>>;
}

interface Family extends Named {
  readonly sortKeys: Map<string, Named>;
  /** The first new sort key of each writing trace, by operation. */
  readonly written: Map<number, string[]>;
}

/**
 * Finds out of traces with different names, in the order in which they were recorded, what they share. What only one trace names is
 * as if other requests named something else: it falls on the whole table. An item that several name is one item for all. Of a
 * partition whose items differ, all requests fall on the range of its sort keys.
 *
 * @param groups The operation of each trace.
 */
export function mapSpots(traces: readonly Trace[], groups: readonly number[]): SpotMap {
  const families = new Map<string, Family>();
  for (const [index, { touches }] of traces.entries()) {
    for (const touch of touches) note(families, touch, index, groups[index] ?? 0);
  }
  const spots: Spot[] = [];
  const indexes = new Map<string, number>();
  const spotOf = (id: string, make: () => Spot) => {
    const known = indexes.get(id) ?? spots.push(make()) - 1;
    indexes.set(id, known);
    return known;
  };
  const shares = traces.map(({ touches }) => {
    const own = new Map<number, { rru: number; wru: number }>();
    const take = (spot: number, { rru, wru }: Touch) => {
      const sum = own.get(spot) ?? { rru: 0, wru: 0 };
      own.set(spot, { rru: sum.rru + rru, wru: sum.wru + wru });
    };
    for (const touch of touches) {
      const { where, pk, sk } = touch;
      take(
        spotOf(where, () => ({ name: `${where}, as a whole`, kind: 'whole', members: 1 })),
        touch,
      );
      const id = `${where} ${familyOf(pk)}`;
      const family = families.get(id);
      if (family === undefined || !isShared(family)) continue;
      const label = labelOf(where, familyOf(pk));
      const kind = isAscending(family) ? 'append' : 'spread';
      take(
        spotOf(id, () => ({ name: label, kind, members: family.members.size })),
        touch,
      );
      const sortKey = sk === undefined ? undefined : family.sortKeys.get(sk);
      if (sortKey === undefined || !isShared(sortKey)) continue;
      const item = { name: `${label} / ${sk}`, kind: 'item' as const, members: sortKey.members.size };
      take(
        spotOf(`${id} / ${sk}`, () => item),
        touch,
      );
    }
    return Array.from(own, ([spot, units]) => ({ spot, ...units }));
  });
  return { spots, shares };
}

const newNamed = (): Named => ({ members: new Set(), traces: new Map() });

function name({ members, traces }: Named, pk: string, trace: number, group: number): void {
  members.add(pk);
  const own = traces.get(group) ?? new Set();
  traces.set(group, own.add(trace));
}

/** Whether several requests of one operation name it. */
const isShared = ({ traces }: Named) => [...traces.values()].some(({ size }) => size > 1);

function note(families: Map<string, Family>, { where, pk, sk, wru }: Touch, trace: number, group: number): void {
  const id = `${where} ${familyOf(pk)}`;
  const family: Family = families.get(id) ?? { ...newNamed(), sortKeys: new Map(), written: new Map() };
  families.set(id, family);
  name(family, pk, trace, group);
  if (sk === undefined) return;
  const known = family.sortKeys.get(sk) ?? newNamed();
  family.sortKeys.set(sk, known);
  name(known, pk, trace, group);
  const written = family.written.get(group) ?? [];
  const isNew = known.traces.size === 1 && known.traces.get(group)?.size === 1 && !written.includes(sk);
  if (wru > 0 && isNew) family.written.set(group, [...written, sk]);
}

function isAscending({ written }: Family): boolean {
  return [...written.values()].some(
    (sortKeys) =>
      sortKeys.length >= minOrdered && sortKeys.every((sortKey, at) => at === 0 || sortKey >= (sortKeys[at - 1] ?? '')),
  );
}

const labelOf = (where: string, pk: string) =>
  `${where === 'table' ? '' : `${where} `}${pk.replaceAll(/[0-9a-f]{32}/g, '<RSE id>').replaceAll(/#\d{6}\b/g, '#<hour>')}`;
