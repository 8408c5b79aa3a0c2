import type { DidKey } from '../../contract/schemas/did.ts';
import type { Integer } from '../../integer.ts';
import type { Table } from '../batches/table.ts';
import { type Item, type Patch, stagedBatches } from '../items/item.ts';
import { type Change, Collision, type Insert, LostRace, type Plan, type Write } from '../items/plan.ts';
import { isEncodablePart, lastPart, shards } from '../keys/key-parts.ts';
import { contentOf, replicaKeys } from '../keys/replica-keys.ts';
import { rseKeys } from '../keys/rse-keys.ts';
import { packProtocol, type Protocol, protocolAttribute, readProtocols } from './rse-protocol.ts';

/** A storage endpoint; dates in milliseconds since 1970. */
export interface Rse {
  /** 32 lower-case hex digits. */
  readonly id: string;
  /** Its present name. */
  readonly rse: string;
  readonly rseType: string;
  readonly deterministic: boolean;
  readonly volatile: boolean;
  readonly stagingArea: boolean;
  readonly availabilityRead: boolean;
  readonly availabilityWrite: boolean;
  readonly availabilityDelete: boolean;
  readonly qosClass?: string | null;
  /** City, country and the like, by their wire name; null where not given. */
  readonly location: Readonly<Record<string, string | number | null>>;
  readonly attributes: Readonly<Record<string, RseAttribute>>;
  /** In the order of hostname, scheme, port. */
  readonly protocols: readonly Protocol[];
  /** Numbers by the name of the limit, in bytes. */
  readonly limits: Readonly<Record<string, Integer>>;
  /** Names of QoS policies, sorted. */
  readonly qosPolicies: readonly string[];
  readonly createdAt: number;
  readonly updatedAt: number;
  /** When it was disabled; absent on a live one. */
  readonly deletedAt?: number;
  /** Counts the changes of the item. */
  readonly rev?: number;
  /** Bulk requests that have a change of this RSE under way. */
  readonly unsettled: readonly string[];
}

/** The value of an RSE's attribute: numbers are kept as texts (spec/rses.md 2.3). */
export type RseAttribute = string | boolean | null;

/** An RSE that is to be made. */
export type NewRse = Omit<Rse, 'rev' | 'unsettled'>;

/**
 * Before the key of an attribute, the name of a limit and that of a QoS policy: each lies on the item by itself, so that
 * a change of one leaves the others alone.
 */
const rsePrefixes = { attribute: 'attr:', limit: 'limit:', qosPolicy: 'qos:' } as const;

/** The id of the RSE of a name, disabled ones included; half the price of the RSE. */
export async function getRseId(table: Table, name: string): Promise<string | undefined> {
  if (!isEncodablePart(name)) return undefined;
  return (await table.get(rseKeys.name(name)))?.['id'] as string | undefined;
}

/** The RSE of a name, disabled ones included. */
export async function getRse(table: Table, name: string): Promise<Rse | undefined> {
  const id = await getRseId(table, name);
  return id === undefined ? undefined : getRseById(table, id);
}

/** The RSE of an id, disabled ones included. */
export async function getRseById(table: Table, id: string): Promise<Rse | undefined> {
  const item = await table.get(rseKeys.rse(id));
  return item === undefined ? undefined : fromItem(item);
}

/** The ids of RSEs by name, disabled ones included; those that there are not are left out. */
export async function getRseIds(table: Table, names: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const pointers = new Map(names.filter(isEncodablePart).map((name) => [rseKeys.name(name).PK, name] as const));
  const items = await table.getMany([...pointers.values()].map(rseKeys.name));
  return new Map(items.map(({ PK, id }) => [pointers.get(PK) ?? '', String(id)]));
}

/** All RSEs in no particular order, disabled ones included; strongly consistent. */
export async function* listRses(table: Table): AsyncGenerator<Rse> {
  for await (const item of table.query({ pk: rseKeys.partition, ...rseKeys.rses })) yield fromItem(item);
}

/** The number that every change of an RSE raises; undefined when there has never been one. Strongly consistent. */
export async function getFleetVersion(table: Table): Promise<number | undefined> {
  return (await table.get(rseKeys.version))?.['version'] as number | undefined;
}

/**
 * The write that goes with every plan that makes or changes RSEs, once: it tells all processes that what they remember
 * of the fleet is old.
 */
export async function raiseFleetVersion(table: Table): Promise<Write> {
  const onRace = () => new LostRace('another request changed an RSE');
  return (await getFleetVersion(table)) === undefined
    ? { kind: 'insert', item: { ...rseKeys.version, version: 1 }, onExists: onRace }
    : { kind: 'change', key: rseKeys.version, patch: { add: { version: 1 } }, onMismatch: onRace };
}

/** The writes that make an RSE: the RSE and the pointer that keeps its name. They need {@link raiseFleetVersion}. */
export function insertRse(rse: NewRse, onExists: () => Error): Insert[] {
  const { id, attributes, protocols, limits, qosPolicies, ...settings } = rse;
  const prefixed = [
    ...Object.entries(attributes).map(([key, value]) => [rsePrefixes.attribute + key, value]),
    ...Object.entries(limits).map(([name, value]) => [rsePrefixes.limit + name, value]),
    ...qosPolicies.map((policy) => [rsePrefixes.qosPolicy + policy, true]),
    ...protocols.map((protocol) => [protocolAttribute(protocol), packProtocol(protocol)]),
  ];
  return [
    insertName(rse.rse, id, onExists),
    {
      kind: 'insert',
      item: { ...rseKeys.rse(id), ...settings, ...(Object.fromEntries(prefixed) as object) },
      onExists,
    },
  ];
}

/**
 * The write that changes an RSE as it was read; when somebody else has changed it since, the plan is made anew. It needs
 * {@link raiseFleetVersion}.
 *
 * @throws Collision when a bulk request has a change of it under way.
 */
export function changeRse(rse: Rse, patch: Patch): Change {
  const [batch] = rse.unsettled;
  if (batch !== undefined) throw new Collision(batch, rseKeys.rse(rse.id));
  return {
    kind: 'change',
    key: rseKeys.rse(rse.id),
    patch: { ...patch, add: { ...patch.add, rev: 1 } },
    when: { rev: rse.rev },
    onMismatch: () => new LostRace(`RSE ${rse.rse} was changed in the meantime`),
  };
}

/** The patch that sets attributes, limits or QoS policies by key, or takes those away whose value is undefined. */
export function patchMembers(kind: keyof typeof rsePrefixes, changes: Iterable<readonly [string, unknown]>): Patch {
  const members = Array.from(changes, ([key, value]) => [rsePrefixes[kind] + key, value] as const);
  return {
    set: Object.fromEntries(members.filter(([, value]) => value !== undefined)),
    remove: members.filter(([, value]) => value === undefined).map(([name]) => name),
  };
}

/** The writes that move an RSE's name, which it keeps in `rse` as well; see {@link changeRse}. */
export function moveName(rse: Rse, to: string, onExists: () => Error): Plan {
  const onRace = () => new LostRace(`RSE ${rse.rse} was renamed in the meantime`);
  return [
    insertName(to, rse.id, onExists),
    { kind: 'change', key: rseKeys.name(rse.rse), patch: { delete: true }, when: { id: rse.id }, onMismatch: onRace },
  ];
}

/** The write that enters a file in the content of an RSE. */
export function insertRseContent(
  rseId: string,
  did: DidKey,
  bytes: Integer | undefined,
  now: number,
  onExists: () => Error,
): Insert {
  return {
    kind: 'insert',
    item: { ...replicaKeys.content(rseId, did), ...(bytes === undefined ? {} : { bytes }), createdAt: now },
    onExists,
  };
}

/** The write that takes a file out of the content of an RSE. */
export function deleteRseContent(rseId: string, did: DidKey, onMissing: () => Error): Change {
  return { kind: 'change', key: replicaKeys.content(rseId, did), patch: { delete: true }, onMismatch: onMissing };
}

/** The files of one shard of an RSE's content by scope and name; strongly consistent. */
export async function* listRseContent(table: Table, rseId: string, shard: number): AsyncGenerator<DidKey> {
  for await (const item of table.query({ pk: replicaKeys.contentShard(rseId, shard) })) yield contentOf(item);
}

/** Whether any file is in the content of an RSE; strongly consistent. */
export async function holdsContent(table: Table, rseId: string): Promise<boolean> {
  const found = await Promise.all(
    shards.map(async (shard) => {
      for await (const _file of table.query({ pk: replicaKeys.contentShard(rseId, shard), pageSize: 1 })) return true;
      return false;
    }),
  );
  return found.includes(true);
}

function insertName(name: string, id: string, onExists: () => Error): Insert {
  return { kind: 'insert', item: { ...rseKeys.name(name), id }, onExists };
}

const notOfRse = new Set(['PK', 'SK', 'batch', 'gone']);

/** An RSE as it lies in its item, or as it lay there. */
export function toRse(item: Item): Rse {
  return fromItem(item);
}

function fromItem(item: Item): Rse {
  const settings: Record<string, unknown> = {};
  const [attributes, limits, policies] = [new Map(), new Map(), [] as string[]];
  for (const [name, value] of Object.entries(item)) {
    if (name.startsWith(rsePrefixes.attribute)) attributes.set(name.slice(rsePrefixes.attribute.length), value);
    else if (name.startsWith(rsePrefixes.limit)) limits.set(name.slice(rsePrefixes.limit.length), value);
    else if (name.startsWith(rsePrefixes.qosPolicy)) policies.push(name.slice(rsePrefixes.qosPolicy.length));
    else if (/^[a-zA-Z]+$/.test(name) && !notOfRse.has(name)) settings[name] = value;
  }
  return {
    ...settings,
    id: lastPart(item),
    attributes: Object.fromEntries(attributes) as Rse['attributes'],
    limits: Object.fromEntries(limits) as Rse['limits'],
    qosPolicies: policies.toSorted(),
    protocols: readProtocols(item),
    unsettled: stagedBatches(item),
  } as unknown as Rse;
}
