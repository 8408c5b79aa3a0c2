import type { ClientRequest } from './client-request.ts';
import { describeFile } from './content.ts';
import { type DiracAction, drawDiracAction } from './dirac.ts';
import { drawExpiringAction, type ExpiringAction } from './expiring-dids.ts';
import { drawHostileAction, type HostileAction } from './hostile-actions.ts';
import { drawIndexOptions, type IndexOptions, metadata } from './metadata-index.ts';
import type { Change, DidChange, Observation } from './model.ts';
import type { MoverWish } from './mover.ts';
import { homeRse, pool, ruleRses } from './names.ts';
import { drawOpendataAction, type OpendataAction } from './opendata.ts';
import { drawOperatorAction, type OperatorAction } from './operator-actions.ts';
import { Random } from './random.ts';
import { drawRead, type Read } from './reads.ts';
import { drawReplicationAction, type ReplicationAction } from './replication-actions.ts';

/** A request that the model judges as a whole. */
export type JudgedRequest = Exclude<Change, Observation> | Extract<Change, { do: 'look' }>;

/** An action of a client, or of all. */
export type Action =
  | Exclude<JudgedRequest, { do: 'tag' | 'match' }>
  /** A list or a search. */
  | { readonly do: 'read'; readonly read: Read }
  /** Changes a DID with `If-Match`. */
  | { readonly do: 'guard'; readonly change: DidChange }
  /** Detaches some of the current children. */
  | { readonly do: 'empty'; readonly name: string; readonly count: number }
  | { readonly do: 'rule'; readonly name: string; readonly rse: string }
  /** Deletes one of the rules of a DID. */
  | { readonly do: 'unrule'; readonly name: string }
  | { readonly do: 'state'; readonly name: string; readonly rse: string; readonly state: 'A' | 'U' }
  /** Something with a DID that has a lifetime. */
  | { readonly do: 'expiring'; readonly expiring: ExpiringAction }
  /** Something with rules or replicas. */
  | { readonly do: 'replication'; readonly replication: ReplicationAction }
  /** Something of an operator. */
  | { readonly do: 'operate'; readonly operation: OperatorAction }
  /** Something of a hostile user, or of those whose files are meant. */
  | { readonly do: 'intrude'; readonly attempt: HostileAction }
  /** Something of DIRAC. */
  | { readonly do: 'dirac'; readonly dirac: DiracAction }
  /** Something with open data. */
  | { readonly do: 'opendata'; readonly opendata: OpendataAction }
  /** Leases transfers, and reports about them. */
  | ({ readonly do: 'move' } & MoverWish)
  /** Changes what is indexed of metadata; then no client starts anything for a time. */
  | { readonly do: 'configure'; readonly options: IndexOptions; readonly milliseconds: number }
  /** No client starts anything for a time. */
  | { readonly do: 'pause'; readonly milliseconds: number };

export type ActionKind = Action['do'] | 'describe';

/** An action of a client. Its id stays the same when other steps are left out. */
export interface Step {
  readonly id: number;
  readonly client: number;
  readonly action: Action;
}

/** Every name of the scope that the model knows. */
export const allNames = [pool.files, pool.many, pool.datasets, pool.containers, pool.bulk].flat();
/** Collections that exist from the beginning, open and empty. */
export const collections = [...pool.datasets, ...pool.containers];

/** Default weight of each kind of action. */
export const weights: Readonly<Record<ActionKind, number>> = {
  create: 4,
  attach: 10,
  fill: 5,
  detach: 5,
  empty: 4,
  open: 4,
  set: 5,
  unset: 1,
  describe: 5,
  flood: 0.3,
  look: 6,
  read: 25,
  guard: 4,
  rule: 1,
  unrule: 1,
  state: 4,
  move: 3,
  expiring: 5,
  replication: 5,
  opendata: 2,
  dirac: 2,
  operate: 2,
  intrude: 2,
  configure: 0.4,
  pause: 1,
};

/** Number of clients. */
export const clients = 6;

/** Generates the history of a seed; weights decide how often each kind of action occurs. */
export function historyOf(
  seed: string,
  count: number,
  chosen: Readonly<Partial<Record<ActionKind, number>>> = weights,
): Step[] {
  const random = new Random(seed).fork('history');
  return Array.from({ length: count }, (_value, id) => {
    const own = random.fork(`step ${id}`);
    return { id, client: own.below(clients), action: makeAction(own, own.weighed(chosen)) };
  });
}

function makeAction(random: Random, kind: ActionKind): Action {
  const { files, many, datasets, containers, bulk } = pool;
  switch (kind) {
    case 'create':
      return random.chance(0.25)
        ? { do: 'create', names: random.some(bulk, 11 + random.below(8)) }
        : { do: 'create', names: [random.pick(collections)] };
    case 'attach':
      return makeAttachment(random);
    case 'fill':
      return { do: 'fill', name: random.pick(datasets), children: random.some(many, 10 + drawMostlySmall(random, 30)) };
    case 'detach':
      return random.chance(0.7)
        ? { do: 'detach', name: random.pick(datasets), children: random.some([...files, ...many], 1) }
        : { do: 'detach', name: random.pick(containers), children: random.some(collections, 1) };
    case 'empty':
      return { do: 'empty', name: random.pick(datasets), count: 1 + drawMostlySmall(random, 40) };
    case 'open':
      return { do: 'open', name: random.pick(collections), open: random.chance(0.6) };
    case 'set': {
      const count = random.chance(0.3) ? 14 : 1;
      const found = random.some([...datasets, ...containers, ...files, ...many.slice(0, 10)], count);
      return { do: 'set', names: found, ...random.pick(metadata) };
    }
    case 'unset':
      return { do: 'unset', name: random.pick(collections), key: 'flavour' };
    case 'describe': {
      const name = random.pick([...files, ...many.slice(0, 20)]);
      return { do: 'set', names: [name], key: 'events', value: 1 + random.below(9) };
    }
    case 'flood':
      return { do: 'flood', names: random.some([...collections, ...files], 12), value: random.below(5) };
    case 'look':
      return { do: 'look', name: random.pick([...datasets, ...collections, ...files]) };
    case 'read':
      return { do: 'read', read: drawRead(random, metadata) };
    case 'guard':
      return { do: 'guard', change: makeDidChange(random) };
    case 'rule':
      return { do: 'rule', name: random.pick(collections), rse: random.pick(ruleRses) };
    case 'unrule':
      return { do: 'unrule', name: random.pick(collections) };
    case 'state': {
      const state = random.chance(0.8) ? 'A' : 'U';
      return { do: 'state', name: random.pick([...files, ...many]), rse: random.pick(ruleRses), state };
    }
    case 'expiring':
      return { do: 'expiring', expiring: drawExpiringAction(random) };
    case 'replication':
      return { do: 'replication', replication: drawReplicationAction(random) };
    case 'operate':
      return { do: 'operate', operation: drawOperatorAction(random) };
    case 'intrude':
      return { do: 'intrude', attempt: drawHostileAction(random) };
    case 'dirac':
      return { do: 'dirac', dirac: drawDiracAction(random) };
    case 'opendata':
      return { do: 'opendata', opendata: drawOpendataAction(random) };
    case 'move':
      return {
        do: 'move',
        rse: random.pick(ruleRses),
        count: 1 + drawMostlySmall(random, 30),
        state: random.weighed({ DONE: 6, FAILED: 2, QUEUED: 1, SUBMITTED: 1 }),
        milliseconds: Math.round(10 ** random.between(1, 4.8)),
      };
    case 'configure': {
      const milliseconds = Math.round(10 ** random.between(3, 6.6));
      return { do: 'configure', options: drawIndexOptions(random), milliseconds };
    }
    case 'pause':
      return { do: 'pause', milliseconds: Math.round(10 ** random.between(3, 5.8)) };
  }
}

/** Usually below 5, sometimes below `most`: reactions to the files of bulk requests take most of the run time. */
const drawMostlySmall = (random: Random, most: number) => random.below(random.chance(0.2) ? most : 5);

function makeDidChange(random: Random): DidChange {
  const change = makeAction(random, random.pick(['attach', 'detach', 'open', 'unset'] as const));
  return change as DidChange;
}

function makeAttachment(random: Random): DidChange {
  const { files, many, datasets, containers } = pool;
  switch (random.weighed({ new: 5, bulk: 3, known: 2, members: 3 })) {
    case 'new':
      return {
        do: 'attach',
        name: random.pick(datasets),
        children: random.some(files, 1 + random.below(3)),
        register: true,
      };
    case 'bulk': {
      const children = random.some(many, 10 + drawMostlySmall(random, 15));
      return { do: 'attach', name: random.pick(datasets), children, register: true };
    }
    case 'known':
      return {
        do: 'attach',
        name: random.pick(datasets),
        children: random.some(files, 1 + random.below(2)),
        register: false,
      };
    case 'members': {
      const members = random.some(random.chance(0.7) ? datasets : containers, 1 + random.below(2));
      return { do: 'attach', name: random.pick(containers), children: members, register: false };
    }
  }
}

/** How often one request names a flooded DID, and with how many keys each time. */
const [parts, keysOfPart] = [3, 150];
/** Keys of a flooded DID. */
export const floodKeys = Array.from({ length: parts * keysOfPart }, (_value, index) => `flood_${index}`);

/** Makes the request that carries out a change. */
export function requestOf(scope: string, change: JudgedRequest): ClientRequest {
  const did = (name: string) => ({ scope, name });
  const file = (name: string) => ({ scope, name, ...describeFile({ scope, name }) });
  const at = (name: string) => `/dids/${scope}/${name}`;
  switch (change.do) {
    case 'create': {
      const typeOf = (name: string) => ({ type: name.startsWith('ct') ? 'CONTAINER' : 'DATASET' });
      const [only = ''] = change.names;
      if (change.names.length === 1) return { method: 'POST', path: at(only), body: typeOf(only) };
      return { method: 'POST', path: '/dids', body: change.names.map((name) => ({ ...did(name), ...typeOf(name) })) };
    }
    case 'attach': {
      const { children, register } = change;
      const body = register ? { dids: children.map(file), rse: homeRse } : { dids: children.map(did) };
      return { method: 'POST', path: `${at(change.name)}/dids`, body };
    }
    case 'fill': {
      const attachments = [{ ...did(change.name), dids: change.children.map(file), rse: homeRse }];
      return { method: 'POST', path: '/dids/attachments', body: { attachments, ignore_duplicate: true } };
    }
    case 'detach':
      return { method: 'DELETE', path: `${at(change.name)}/dids`, body: { dids: change.children.map(did) } };
    case 'open':
      return { method: 'PUT', path: `${at(change.name)}/status`, body: { open: change.open } };
    case 'set': {
      const { key, value } = change;
      const [only = ''] = change.names;
      if (change.names.length === 1) return { method: 'POST', path: `${at(only)}/meta/${key}`, body: { value } };
      const dids = change.names.map((name) => ({ ...did(name), meta: { [key]: value } }));
      return { method: 'POST', path: '/dids/bulkdidsmeta', body: { dids } };
    }
    case 'unset':
      return { method: 'DELETE', path: `${at(change.name)}/meta?key=${change.key}` };
    case 'flood': {
      const [first = '', ...others] = change.names;
      const flood = Array.from({ length: parts }, (_value, part) => {
        const keys = floodKeys.slice(part * keysOfPart, (part + 1) * keysOfPart);
        return { ...did(first), meta: Object.fromEntries(keys.map((key) => [key, change.value])) };
      });
      const rest = others.map((name) => ({ scope, name, meta: { flavour: 'flood' } }));
      return { method: 'POST', path: '/dids/bulkdidsmeta', body: { dids: [...flood, ...rest] } };
    }
    case 'match':
      return { ...requestOf(scope, change.change), headers: { 'If-Match': change.etag } };
    case 'tag':
    case 'look':
      return { method: 'GET', path: at(change.name) };
  }
}
