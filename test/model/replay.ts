import { addIntegers, type Integer } from '../../lib/integer.ts';
import { parseDate } from '../../lib/time.ts';

/** An event, as a consumer gets it. */
export interface Event {
  readonly id: string;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** A catalogue as texts, one for each object: equal catalogues have equal texts. */
export type Inventory = readonly string[];

type Values = Record<string, unknown>;

const text = (...parts: readonly unknown[]) =>
  parts.map((part) => (typeof part === 'string' ? part : write(part))).join(' ');

/** Serialises an object with sorted members, without those that are null. */
function write(value: unknown): string {
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const members = Object.entries(value)
    .filter(([, member]) => member !== null && member !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${name}: ${write(member)}`).join(', ')}}`;
}

/** A date in any format, as whole seconds. */
export const second = (date: unknown) => (typeof date === 'string' ? Math.floor((parseDate(date) ?? 0) / 1000) : null);

/** Metadata as a catalogue stores it: a file that was lost and found again has the availability of all others. */
const withoutUsual = ({ availability, ...others }: Values): Values =>
  availability === undefined || availability === 'AVAILABLE' ? others : { ...others, availability };

/** The catalogue as a consumer knows it from events alone. Duplicates are dropped by id. */
export class Replay {
  readonly #heard = new Set<string>();
  readonly #dids = new Map<string, Values>();
  readonly #edges = new Map<string, Values>();
  readonly #replicas = new Map<string, Values>();
  readonly #rules = new Map<string, Values>();
  readonly #datasetLocks = new Set<string>();
  readonly #others = new Map<string, Values>();
  /** Number of events by type, without duplicates. */
  readonly counts = new Map<string, number>();

  hear({ id, type, data }: Event): void {
    if (this.#heard.has(id)) return;
    this.#heard.add(id);
    this.counts.set(type, (this.counts.get(type) ?? 0) + 1);
    this.#apply(type, data);
  }

  #apply(type: string, data: Values): void {
    const did = `${String(data['scope'])}:${String(data['name'])}`;
    const edge = text(did, data['child_scope'], data['child_name']);
    const replica = text(did, data['rse_id']);
    const rule = String(data['rule_id']);
    switch (type) {
      case 'CREATE_FILE':
      case 'CREATE_DTS':
      case 'CREATE_CNT': {
        const { scope: _scope, name: _name, ...values } = data;
        const types: Values = { CREATE_FILE: 'FILE', CREATE_DTS: 'DATASET', CREATE_CNT: 'CONTAINER' };
        const isFile = type === 'CREATE_FILE';
        const empty = { is_open: true, bytes: 0, length: 0 };
        this.#dids.set(did, { did_type: types[type], ...values, ...(isFile ? {} : empty) });
        return;
      }
      case 'ERASE':
        this.#dids.delete(did);
        return;
      case 'OPEN':
      case 'CLOSE':
        Object.assign(this.#dids.get(did) ?? {}, { is_open: type === 'OPEN' });
        return;
      case 'SET_METADATA':
        Object.assign(this.#dids.get(did) ?? {}, data['meta']);
        return;
      case 'DELETE_METADATA':
        for (const key of data['keys'] as string[]) delete this.#dids.get(did)?.[key];
        return;
      case 'ATTACH':
      case 'UPDATE_ATTACHMENT':
        this.#edges.set(edge, data);
        return;
      case 'DETACH':
        this.#edges.delete(edge);
        return;
      case 'ADD_REPLICA':
      case 'UPDATE_REPLICA':
        this.#replicas.set(replica, data);
        return;
      case 'deletion-done':
        this.#replicas.delete(replica);
        return;
      case 'CREATE_RULE':
      case 'UPDATE_RULE':
        this.#rules.set(rule, data);
        return;
      case 'DELETE_RULE':
        this.#rules.delete(rule);
        return;
      case 'ADD_DATASETLOCK':
        this.#datasetLocks.add(text(did, rule, data['rse_id']));
        return;
      case 'DELETE_DATASETLOCK':
        this.#datasetLocks.delete(text(did, rule, data['rse_id']));
        return;
      case 'CREATE_SCOPE':
      case 'CREATE_ACCOUNT':
      case 'CREATE_RSE':
      case 'UPDATE_RSE':
      case 'UPDATE_ACCOUNT':
        this.#others.set(text(type.split('_')[1], data['rse'] ?? data['scope'] ?? data['account']), data);
        return;
      default:
      // Other types change nothing.
    }
  }

  inventory(): Inventory {
    return inventoryOf({
      dids: Array.from(
        this.#dids,
        ([did, values]) => [did, withoutUsual({ ...values, ...this.#sizeOf(did, values) })] as const,
      ),
      // The dependents of a deleted DID are removed after it.
      edges: [...this.#edges].filter(([key]) => this.#isThere(key)).map(([, edge]) => edge),
      replicas: [...this.#replicas.values()],
      rules: [...this.#rules.values()],
      datasetLocks: [...this.#datasetLocks].filter((lock) => this.#isThere(lock)),
      others: [...this.#others.keys()],
    });
  }

  #isThere(key: string): boolean {
    return this.#dids.has(key.split(' ')[0] ?? '');
  }

  /** The size of a dataset is the sum over its children. */
  #sizeOf(did: string, { did_type }: Values): Values {
    if (did_type !== 'DATASET') return {};
    const files = [...this.#edges].filter(([key]) => key.startsWith(`${did} `)).map(([, child]) => child);
    const bytes = files.reduce<Integer>((all, file) => addIntegers(all, (file['bytes'] ?? 0) as Integer), 0);
    return { bytes, length: files.length };
  }
}

/** The content of a catalogue, with the field names of the routes. */
export interface Holdings {
  readonly dids: readonly (readonly [did: string, values: Values])[];
  readonly edges: readonly Values[];
  readonly replicas: readonly Values[];
  readonly rules: readonly Values[];
  readonly datasetLocks: readonly string[];
  readonly others: readonly string[];
}

/** Serialises the content in order. */
export function inventoryOf({ dids, edges, replicas, rules, datasetLocks, others }: Holdings): Inventory {
  return [
    ...dids.map(([did, { expired_at, ...values }]) => text('did', did, values, second(expired_at))),
    ...edges.map(({ scope, name, child_scope, child_name, child_type, bytes, adler32 }) =>
      text('edge', scope, name, child_scope, child_name, { child_type, bytes, adler32 }),
    ),
    ...replicas.map(({ scope, name, rse_id, state, path, tombstone, locks, account }) =>
      text('replica', scope, name, rse_id, { state, path, locks, account }, second(tombstone)),
    ),
    ...rules.map(({ updated_at: _updated, ...rule }) => text('rule', rule)),
    ...datasetLocks.map((lock) => text('dataset lock', lock)),
    ...others,
  ].toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
}
