import type { Integer } from '../../integer.ts';
import type { Table } from '../batches/table.ts';
import { type Item, type Patch, stagedPrefix } from '../items/item.ts';
import { type Change, Collision, type Insert, LostRace, type Plan } from '../items/plan.ts';
import {
  type Check,
  isFlag,
  isInteger,
  isNumber,
  isText,
  itemReader,
  nullable,
  optional,
  readAttribute,
  recordOf,
} from '../items/read-attributes.ts';
import { isEncodablePart, lastPart } from '../keys/key-parts.ts';
import { rseKeys } from '../keys/rse-keys.ts';
import {
  isProtocolAttribute,
  packProtocol,
  type Protocol,
  protocolAttribute,
  readProtocol,
  sortProtocols,
} from './rse-protocol.ts';

/** A storage endpoint; dates in milliseconds since 1970. */
export interface Rse {
  /** 32 lower-case hex digits. */
  readonly id: string;
  /** Its current name. */
  readonly rse: string;
  readonly rseType: string;
  readonly deterministic: boolean;
  readonly volatile: boolean;
  readonly stagingArea: boolean;
  readonly availabilityRead: boolean;
  readonly availabilityWrite: boolean;
  readonly availabilityDelete: boolean;
  readonly qosClass?: string | null;
  /** City, country and the like, by their wire name; null: unknown. */
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
  /** The batches with a staged change of this RSE. */
  readonly unsettled: readonly string[];
}

/** The value of an RSE attribute; numbers are stored as texts (spec/rses.md 2.3). */
export type RseAttribute = string | boolean | null;

/** An RSE to insert. */
export type NewRse = Omit<Rse, 'rev' | 'unsettled'>;

/**
 * The prefixes of item attributes for RSE attributes, limits and QoS policies: one item attribute each, so that each changes
 * alone.
 */
const rsePrefixes = { attribute: 'attr:', limit: 'limit:', qosPolicy: 'qos:' } as const;

/** The id of the RSE of a name, disabled ones included; half the cost of {@link getRse}. */
export async function getRseId(table: Table, name: string): Promise<string | undefined> {
  if (!isEncodablePart(name)) return undefined;
  const item = await table.get(rseKeys.name(name));
  return item === undefined ? undefined : readAttribute(item, 'id', isText);
}

/** The RSE of a name, disabled ones included. */
export async function getRse(table: Table, name: string): Promise<Rse | undefined> {
  const id = await getRseId(table, name);
  return id === undefined ? undefined : getRseById(table, id);
}

/** The RSE of an id, disabled ones included. */
export async function getRseById(table: Table, id: string): Promise<Rse | undefined> {
  const item = await table.get(rseKeys.rse(id));
  return item === undefined ? undefined : toRse(item);
}

/** The RSEs of ids, disabled ones included, in no particular order. */
export async function getRsesById(table: Table, ids: readonly string[]): Promise<Rse[]> {
  return (await table.getMany(ids.map(rseKeys.rse))).map(toRse);
}

/** The ids of RSEs by name, disabled ones included; missing ones are left out. */
export async function getRseIds(table: Table, names: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const pointers = new Map(names.filter(isEncodablePart).map((name) => [rseKeys.name(name).PK, name] as const));
  const items = await table.getMany([...pointers.values()].map(rseKeys.name));
  return new Map(items.map(({ PK, id }) => [pointers.get(PK) ?? '', String(id)]));
}

/** All RSEs in no particular order, disabled ones included; strongly consistent. */
export function listRses(table: Table): AsyncGenerator<Rse> {
  return table.query({ pk: rseKeys.partition, ...rseKeys.rses }, toRse);
}

/** The writes that insert an RSE: the RSE and the pointer from its name. They need {@link raiseFleetVersion}. */
export function insertRse(rse: NewRse, onExists: () => Error): Insert[] {
  const { id, attributes, protocols, limits, qosPolicies, ...settings } = rse;
  const prefixed = [
    ...Object.entries(attributes).map(([key, value]) => [rsePrefixes.attribute + key, value] as const),
    ...Object.entries(limits).map(([name, value]) => [rsePrefixes.limit + name, value] as const),
    ...qosPolicies.map((policy) => [rsePrefixes.qosPolicy + policy, true] as const),
    ...protocols.map((protocol) => [protocolAttribute(protocol), packProtocol(protocol)] as const),
  ];
  return [
    insertName(rse.rse, id, onExists),
    {
      kind: 'insert',
      item: { ...rseKeys.rse(id), ...settings, ...Object.fromEntries<unknown>(prefixed) },
      onExists,
    },
  ];
}

/**
 * The write that changes an RSE that was read, with an optimistic lock on it. It needs {@link raiseFleetVersion}.
 *
 * @throws Collision if it has a staged change.
 */
export function changeRse(rse: Rse, patch: Patch): Change {
  const [batch] = rse.unsettled;
  if (batch !== undefined) throw new Collision(batch, rseKeys.rse(rse.id));
  return {
    kind: 'change',
    key: rseKeys.rse(rse.id),
    patch: { ...patch, add: { ...patch.add, rev: 1 } },
    when: { rev: rse.rev },
    onMismatch: () => new LostRace(`RSE ${rse.rse} was changed concurrently`),
  };
}

/** The patch that sets attributes, limits or QoS policies by key; undefined removes one. */
export function patchMembers(kind: keyof typeof rsePrefixes, changes: Iterable<readonly [string, unknown]>): Patch {
  const members = Array.from(changes, ([key, value]) => [rsePrefixes[kind] + key, value] as const);
  return {
    set: Object.fromEntries(members.filter(([, value]) => value !== undefined)),
    remove: members.filter(([, value]) => value === undefined).map(([name]) => name),
  };
}

/** The writes that move the pointer from the name of an RSE. The name on the RSE itself changes by {@link changeRse}. */
export function moveRseName(rse: Rse, to: string, onExists: () => Error): Plan {
  const makeRaceError = () => new LostRace(`RSE ${rse.rse} was renamed concurrently`);
  return [
    insertName(to, rse.id, onExists),
    {
      kind: 'change',
      key: rseKeys.name(rse.rse),
      patch: { delete: true },
      when: { id: rse.id },
      onMismatch: makeRaceError,
    },
  ];
}

function insertName(name: string, id: string, onExists: () => Error): Insert {
  return { kind: 'insert', item: { ...rseKeys.name(name), id }, onExists };
}

const isRseAttribute: Check<RseAttribute> = (value) => value === null || isText(value) || isFlag(value);
const isLocationPart: Check<string | number | null> = (value) => value === null || isText(value) || isNumber(value);

type Composed = 'id' | 'attributes' | 'limits' | 'qosPolicies' | 'protocols' | 'unsettled';

const readRse = itemReader<Omit<Rse, Composed>>({
  rse: isText,
  rseType: isText,
  deterministic: isFlag,
  volatile: isFlag,
  stagingArea: isFlag,
  availabilityRead: isFlag,
  availabilityWrite: isFlag,
  availabilityDelete: isFlag,
  qosClass: optional(nullable(isText)),
  location: recordOf(isLocationPart),
  createdAt: isNumber,
  updatedAt: isNumber,
  deletedAt: optional(isNumber),
  rev: optional(isNumber),
});

/** Reads an RSE out of its item. */
export function toRse(item: Item): Rse {
  // Maps, since an attribute may have any key.
  const attributes = new Map<string, RseAttribute>();
  const limits = new Map<string, Integer>();
  const policies: string[] = [];
  const protocols: Protocol[] = [];
  const unsettled: string[] = [];
  const rse = readRse(item, { id: lastPart(item), unsettled }, (name) => {
    const { attribute, limit, qosPolicy } = rsePrefixes;
    if (name.startsWith(attribute))
      attributes.set(name.slice(attribute.length), readAttribute(item, name, isRseAttribute));
    else if (name.startsWith(limit)) limits.set(name.slice(limit.length), readAttribute(item, name, isInteger));
    else if (name.startsWith(qosPolicy)) policies.push(name.slice(qosPolicy.length));
    else if (name.startsWith(stagedPrefix)) unsettled.push(name.slice(stagedPrefix.length));
    else if (isProtocolAttribute(name)) protocols.push(readProtocol(item, name));
  });
  if (item.gone !== undefined) unsettled.push(item.gone);
  return {
    ...rse,
    attributes: Object.fromEntries(attributes),
    limits: Object.fromEntries(limits),
    qosPolicies: policies.toSorted(),
    protocols: sortProtocols(protocols),
  };
}
