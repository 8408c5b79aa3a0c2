/** DIDs with lifetimes, in a scope of their own: the model does not know them, only that nothing contradicts itself at the end. */
import { bytesOf } from '../model/model.ts';
import type { ClientRequest } from './client-request.ts';
import { describeFile } from './content.ts';
import type { Deployment } from './deployment.ts';
import { flawsOfEvents } from './event-sums.ts';
import { homeRse, pool, ruleRses } from './names.ts';
import type { Random } from './random.ts';
import { type Row, rowsOf } from './rows.ts';
import type { RuleChange } from './rule-changes.ts';

/** The scope. */
export const expiringScope = 'expiring';

type CollectionType = 'CONTAINER' | 'DATASET';

/** An action on DIDs with lifetimes. */
export type ExpiringAction =
  | { readonly kind: 'make'; readonly name: string; readonly type: CollectionType; readonly lifetime: number | null }
  /** Files of both scopes, or collections. */
  | { readonly kind: 'fill' | 'empty'; readonly name: string; readonly children: readonly string[] }
  /** Adds files to an archive, of which they are constituents. */
  | { readonly kind: 'pack'; readonly name: string; readonly children: readonly string[] }
  | { readonly kind: 'lifetime'; readonly name: string; readonly seconds: number }
  | { readonly kind: 'rule'; readonly name: string; readonly rse: string; readonly grouping: string }
  | { readonly kind: 'resurrect'; readonly name: string }
  /** Makes an account follow a DID, or stop it. */
  | { readonly kind: 'follow' | 'unfollow'; readonly name: string }
  /** Deletes the first replicas of files, and with the last replica of a file all that depends on it. */
  | { readonly kind: 'drop'; readonly files: readonly string[] }
  /** Sets events of a file, or metadata of a collection, `project` also of its children. */
  | { readonly kind: 'describe'; readonly name: string; readonly key: string; readonly value: number }
  /** Closes a collection, so that it is deleted when it becomes empty. */
  | { readonly kind: 'close'; readonly name: string }
  /** Changes a rule of a collection. */
  | { readonly kind: 'rerule'; readonly name: string; readonly change: RuleChange }
  /** Runs the job that deletes what has expired, while clients are busy: by its schedule it would rarely meet them. */
  | { readonly kind: 'delete expired' };

/** Lifetimes in seconds. */
const [shortestLifetime, shortLifetime, longestLifetime] = [-10, 5, 900];

/** A column and a free key that the index may have. */
const indexedKeys = ['datatype', 'flavour'] as const;

const groupings = ['ALL', 'DATASET', 'NONE'] as const;

/** Draws an action. */
export function drawExpiringAction(random: Random): ExpiringAction {
  const { expiringDatasets, expiringContainers, expiringFiles, archives, files, many } = pool;
  const collections = [...expiringDatasets, ...expiringContainers];
  const name = random.pick(collections);
  const seconds = Math.round(random.between(shortestLifetime, random.chance(0.6) ? shortLifetime : longestLifetime));
  const weights = {
    make: 8,
    fill: 9,
    empty: 2,
    pack: 1.5,
    lifetime: 5,
    rule: 3,
    rerule: 2,
    resurrect: 4,
    follow: 1,
    unfollow: 0.3,
    drop: 3,
    describe: 3,
    close: 2,
    'delete expired': 4,
  };
  const kind = random.weighed(weights);
  switch (kind) {
    case 'make':
      return { kind, name, type: drawType(name, random), lifetime: random.chance(0.3) ? Math.max(1, seconds) : null };
    case 'empty': {
      const own = name.startsWith('xc') ? collections : random.chance(0.7) ? expiringFiles : [...files, ...many];
      return { kind, name, children: random.some(own, 1) };
    }
    case 'fill': {
      if (name.startsWith('xc')) return { kind, name, children: random.some(collections, 1 + random.below(2)) };
      if (random.chance(0.5)) return { kind, name, children: random.some(expiringFiles, 1 + random.below(4)) };
      return { kind, name, children: random.some([...files, ...many], 1 + random.below(12)) };
    }
    case 'pack':
      return { kind, name: random.pick(archives), children: random.some(expiringFiles, 1 + random.below(4)) };
    case 'lifetime':
      return { kind, name: random.pick([...collections, ...expiringFiles]), seconds };
    case 'rule':
      return { kind, name, rse: random.pick(ruleRses), grouping: random.pick(groupings) };
    case 'rerule': {
      const what = random.pick(['end', 'move', 'repair', 'remove'] as const);
      return { kind, name, change: makeRuleChange(what, seconds, random) };
    }
    case 'close':
      return { kind, name };
    case 'resurrect':
    case 'follow':
    case 'unfollow':
      return { kind, name: random.pick([...collections, ...expiringFiles]) };
    case 'describe': {
      const described = random.pick([...expiringFiles, ...collections]);
      const key = described.startsWith('xf') ? 'events' : random.pick(['project', ...indexedKeys]);
      return { kind, name: described, key, value: random.below(9) };
    }
    case 'drop':
      return { kind, files: random.some(expiringFiles, random.chance(0.8) ? 1 : 2) };
    case 'delete expired':
      return { kind };
  }
}

/** The type of a new collection: at times the successor of a deleted one has another type than its name says. */
function drawType(name: string, random: Random): CollectionType {
  return name.startsWith('xc') !== random.chance(0.05) ? 'CONTAINER' : 'DATASET';
}

function makeRuleChange(what: 'end' | 'move' | 'repair' | 'remove', seconds: number, random: Random): RuleChange {
  switch (what) {
    case 'end':
      return { to: 'change', options: { lifetime: seconds } };
    case 'move':
      return { to: 'move', rse: random.pick(ruleRses) };
    case 'repair':
      return { to: 'change', options: { state: 'STUCK' } };
    case 'remove':
      return { to: 'remove', purges: true };
  }
}

interface DidName {
  readonly scope: string;
  readonly name: string;
}

/** A DID by its name, which tells the scope. */
export function didOf(scope: string, name: string): DidName {
  return { scope: name.startsWith('x') ? expiringScope : scope, name };
}

/** The request that carries out an action. */
export function requestOfExpiring(
  scope: string,
  action: Exclude<ExpiringAction, { kind: 'delete expired' | 'rerule' }>,
): ClientRequest {
  const did = (name: string) => didOf(scope, name);
  if (action.kind === 'drop') {
    return { method: 'DELETE', path: '/replicas', body: { rse: homeRse, files: action.files.map(did) } };
  }
  const at = `/dids/${expiringScope}/${action.name}`;
  const file = (name: string) => ({ ...did(name), ...describeFile(did(name)) });
  switch (action.kind) {
    case 'make':
      return { method: 'POST', path: at, body: { type: action.type, lifetime: action.lifetime } };
    case 'pack':
      return { method: 'POST', path: `${at}/dids`, body: { dids: action.children.map(file) } };
    case 'fill': {
      const isOwn = action.children.every((name) => name.startsWith('xf'));
      // Those of the model's scope are only attached where they exist.
      const body = isOwn
        ? { dids: action.children.map(file), rse: homeRse }
        : { dids: action.children.map((name) => did(name)) };
      return { method: 'POST', path: `${at}/dids`, body };
    }
    case 'empty':
      return { method: 'DELETE', path: `${at}/dids`, body: { dids: action.children.map((name) => did(name)) } };
    case 'lifetime':
      return { method: 'POST', path: `${at}/meta/lifetime`, body: { value: action.seconds } };
    case 'rule': {
      const more = { account: 'root', copies: 1, rse_expression: action.rse, grouping: action.grouping };
      return { method: 'POST', path: '/rules/', body: { dids: [did(action.name)], ...more } };
    }
    case 'describe': {
      const value = action.key === 'events' ? action.value : `v${action.value}`;
      return { method: 'POST', path: `${at}/meta/${action.key}`, body: { value, recursive: action.key === 'project' } };
    }
    case 'close':
      return { method: 'PUT', path: `${at}/status`, body: { open: false } };
    case 'resurrect':
      return { method: 'POST', path: '/dids/resurrect', body: [did(action.name)] };
    case 'follow':
    case 'unfollow':
      return { method: action.kind === 'follow' ? 'POST' : 'DELETE', path: `${at}/follow`, body: { account: 'root' } };
  }
}

/** Contradictions among the DIDs of a scope that may expire, long after the last request. */
export async function auditExpiring(deployment: Deployment, scope = expiringScope): Promise<string[]> {
  const { scheduler } = deployment;
  const read = async (path: string) => rowsOf(await deployment.requestSuccess({ method: 'GET', path }));
  const found = await read(`/dids/${scope}/dids/search?type=all&long=true`);
  const flaws = [...findOrphans(deployment, scope), ...(await findWrongSearches(deployment, scope, found))];
  for (const { name: text, did_type: type } of found) {
    const name = String(text);
    const [meta] = await read(`/dids/${scope}/${name}/meta`);
    const expiredAt = meta?.['expired_at'];
    if (typeof expiredAt === 'string' && Date.parse(expiredAt) < scheduler.now) {
      flaws.push(`${name} expired at ${expiredAt}, and is still there`);
    }
    if (type !== 'DATASET') continue;
    const children = await read(`/dids/${scope}/${name}/dids`);
    flaws.push(...(await findWrongEvents({ scope, name }, meta ?? {}, read)));
    const [shown] = await read(`/dids/${scope}/${name}`);
    const bytes = children.reduce((sum, child) => sum + bytesOf(String(child['name'])), 0);
    if (shown?.['length'] !== children.length || shown['bytes'] !== bytes) {
      flaws.push(`${name} is shown as ${JSON.stringify(shown)}, it holds ${children.length} files of ${bytes} bytes`);
    }
  }
  return flaws;
}

/** Searches by metadata that do not find the DIDs that have it. */
async function findWrongSearches(deployment: Deployment, scope: string, found: readonly Row[]): Promise<string[]> {
  const body = { dids: found.map(({ name }) => ({ scope, name })), plugin: 'ALL' };
  const rows = rowsOf(await deployment.requestSuccess({ method: 'POST', path: '/dids/bulkmeta', body }));
  const flaws: string[] = [];
  for (const key of indexedKeys) {
    const holders = Map.groupBy(rows, (row) => row[key]);
    for (let value = 0; value < 9; value += 1) {
      const path = `/dids/${scope}/dids/search?type=all&long=true&${key}=v${value}`;
      const hits = rowsOf(await deployment.requestSuccess({ method: 'GET', path }));
      const [shown, right] = [hits, holders.get(`v${value}`) ?? []].map((list) =>
        list
          .map(({ name }) => String(name))
          .sort()
          .join(),
      );
      if (shown !== right) flaws.push(`the search for ${key}=v${value} in ${scope} finds ${shown}, there are ${right}`);
    }
  }
  return flaws;
}

/** Differences between the events of a dataset and of its files. */
async function findWrongEvents(
  { scope, name }: DidName,
  meta: Row,
  read: (path: string) => Promise<Row[]>,
): Promise<string[]> {
  const files = await read(`/dids/${scope}/${name}/files`);
  const rows = new Map<string, Row>();
  for (const { scope: place, name: file } of files) {
    const [row] = await read(`/dids/${String(place)}/${String(file)}/meta`);
    if (row !== undefined) rows.set(String(file), row);
  }
  return flawsOfEvents(name, meta, files, rows);
}

/** Attachments of DIDs that are deleted, and what else is left of them: such a DID is missing, or there is a new one of its name. */
function findOrphans({ table }: Deployment, of: string): string[] {
  const items = table.scan().map((item) => {
    const [kind, ...place] = (item['PK']?.S ?? '').split('#');
    return { kind, place, row: (item['SK']?.S ?? '').split('#'), createdAt: Number(item['createdAt']?.['N']) };
  });
  const born = new Map<string | undefined, number>();
  for (const { kind, place, row, createdAt } of items) {
    if (kind === 'S' && place[0] === of) born.set(row[0], createdAt);
  }
  return items.flatMap(({ kind, place, row: [prefix = '', child, scope], createdAt }) => {
    const indexed = kind === 'M' ? prefix : kind === 'MV' ? child : undefined;
    if (indexed !== undefined && place[0] === of && !born.has(indexed)) {
      return [`${indexed} was deleted, and is in the index: ${place.join(' ')}`];
    }
    if (kind !== 'D') return [];
    const holder = place.join(':');
    if (place[0] === of && !born.has(place[1]) && !keptPrefixes.has(prefix)) {
      return [`${holder} was deleted, and has ${[prefix, child].join(' ')}`];
    }
    return prefix === 'CHILD' && scope === of && createdAt < (born.get(child) ?? Infinity)
      ? [`${holder} holds ${child}, which was deleted`]
      : [];
  });
}

/** Remains of a deleted DID: its history, and that of its rules. */
const keptPrefixes = new Set(['HIST', 'WITHIN', 'FORMER', 'PASTRULE']);
