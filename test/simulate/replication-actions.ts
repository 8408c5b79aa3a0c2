/** Actions of clients with rules and replicas, in both scopes. Nothing of it changes what the model knows of its scope. */
import { homeRse, pool, ruleRses } from './names.ts';
import type { Random } from './random.ts';
import type { RuleChange } from './rule-changes.ts';

/** An account beside root, to which rules may be given. */
export const otherAccount = 'other';

/** A subscription that clients only create, and one that they change. */
export const lastingSubscription = 'lasting';
export const changingSubscription = 'changing';

/** An action on rules or replicas. */
export type ReplicationAction =
  /** Makes a rule with any number of copies and any grouping. */
  | { readonly kind: 'spread'; readonly name: string; readonly wish: RuleWish }
  /** Changes one of the rules of a collection. */
  | { readonly kind: 'rerule'; readonly name: string; readonly change: RuleChange }
  /** Declares replicas bad, or available again. */
  | { readonly kind: 'bad' | 'good'; readonly rse: string; readonly files: readonly string[] }
  /** Declares replicas suspicious, or unavailable for a time. */
  | { readonly kind: 'suspect'; readonly rse: string; readonly files: readonly string[] }
  | { readonly kind: 'lack'; readonly rse: string; readonly files: readonly string[]; readonly milliseconds: number }
  /** Registers replicas of files with lifetimes, which creates missing files. */
  | { readonly kind: 'register'; readonly rse: string; readonly files: readonly string[]; readonly state: 'A' | 'U' }
  /** Marks replicas as deletable, or deletes them: those that no rule locks. */
  | { readonly kind: 'release' | 'delete'; readonly rse: string; readonly files: readonly string[] }
  /** Gives an account a quota on an RSE, which new rules may exceed; -1: none. */
  | { readonly kind: 'limit'; readonly account: string; readonly rse: string; readonly bytes: number }
  /** Lets nobody write to an RSE, read from it or delete there, or lets them again. */
  | { readonly kind: 'block'; readonly rse: string; readonly settings: Readonly<Record<string, boolean>> }
  /** Gives an RSE the attribute that rules ask for, or takes it away. */
  | { readonly kind: 'mark'; readonly rse: string; readonly isMarked: boolean }
  /** Files rot where they are, and mostly somebody declares them bad. */
  | { readonly kind: 'rot'; readonly rse: string; readonly files: readonly string[] }
  /** Something else lies where files may come. */
  | { readonly kind: 'stray'; readonly rse: string; readonly files: readonly string[] }
  /** Says that replicas are in a state, whatever they are in. */
  | { readonly kind: 'state'; readonly rse: string; readonly files: readonly string[]; readonly state: string }
  /** Runs the movers, which copy what rules ask for. */
  | { readonly kind: 'copy' }
  /** Runs the reaper, which deletes what no rule needs. */
  | { readonly kind: 'reap' }
  /** Counts the usage anew, which must be right. */
  | { readonly kind: 'recount' }
  /** Creates a subscription that places new datasets, and on demand those that are there. */
  | { readonly kind: 'subscribe'; readonly name: string; readonly rse: string; readonly isRetroactive: boolean }
  /** Changes the one that may be changed. */
  | { readonly kind: 'resubscribe'; readonly rse: string; readonly isActive: boolean };

interface RuleWish {
  readonly rse_expression: string;
  readonly copies: number;
  readonly grouping: 'ALL' | 'DATASET' | 'NONE';
  readonly account: string;
  /** In seconds; null: none. */
  readonly lifetime: number | null;
  readonly asynchronous?: true;
  /** In seconds. */
  readonly delay_injection?: number;
  readonly split_container?: true;
  readonly ask_approval?: true;
}

/** How a rule begins that is not placed at once. */
const delays: readonly Partial<RuleWish>[] = [
  { asynchronous: true },
  { delay_injection: 60 },
  { split_container: true },
  { ask_approval: true, copies: 1 },
  { ask_approval: true, copies: 1 },
];

const all = ruleRses.join('|');

/** The attribute that rules ask for. */
export const marking = 'tier';

/** Operations that an RSE may forbid. */
export const abilities = ['availability_write', 'availability_read', 'availability_delete'] as const;

/** All states, by their letters, and one name. */
const replicaStates = ['A', 'U', 'C', 'B', 'D', 'S', 'T', 'BAD'] as const;

/** Jobs that clients wait for. */
export const jobsOfKind = { reap: 'free-space', copy: 'move-data', recount: 'recount-usage' } as const;
/** A job of the service, which clients wait for. */
export type JobKind = keyof typeof jobsOfKind;

/** Some are so small that a rule of a few files exceeds them. */
const quotas = [-1, -1, 3_000, 20_000];

/** Draws an action. */
export function drawReplicationAction(random: Random): ReplicationAction {
  const { files, many, datasets, containers, expiringFiles, expiringDatasets, expiringContainers } = pool;
  const collections = [...datasets, ...containers, ...expiringDatasets, ...expiringContainers];
  const [name, rse] = [random.pick(collections), random.pick([...ruleRses, homeRse])];
  const some = () => random.some(random.chance(0.5) ? expiringFiles : [...files, ...many], 1 + random.below(5));
  const weights = {
    spread: 4,
    rerule: 6,
    bad: 2,
    good: 2,
    suspect: 0.5,
    lack: 2,
    register: 2,
    release: 1,
    delete: 2,
    limit: 1,
    block: 1,
    mark: 0.5,
    rot: 1.5,
    stray: 1,
    state: 2,
    copy: 5,
    reap: 6,
    recount: 1,
    subscribe: 1.5,
    resubscribe: 1.5,
  };
  const kind = random.weighed(weights);
  switch (kind) {
    case 'spread': {
      const grouping = random.pick(['ALL', 'DATASET', 'NONE'] as const);
      const account = random.pick(['root', otherAccount]);
      const lifetime = random.chance(0.2) ? random.below(600) : null;
      const more = random.chance(0.4) ? random.pick(delays) : {};
      const expressions = [all, all, `${all}|${homeRse}`, `${marking}=1`];
      const expression = random.pick(more.ask_approval === true ? ruleRses : expressions);
      return {
        kind,
        name,
        wish: { rse_expression: expression, copies: 1 + random.below(2), grouping, account, lifetime, ...more },
      };
    }
    case 'rerule':
      return { kind, name, change: drawRuleChange(name, random) };
    case 'register':
      return { kind, rse, files: random.some(expiringFiles, 2), state: random.chance(0.8) ? 'A' : 'U' };
    case 'delete':
    case 'release': {
      // The replicas at home keep the files of the model's scope.
      const own = random.chance(0.5) || rse === homeRse ? expiringFiles : [...files, ...many];
      return { kind, rse, files: random.some(own, random.chance(0.8) ? 1 : 2) };
    }
    case 'bad':
    case 'good':
      // A file of the model's scope whose last replica is bad is lost: then it cannot be attached, which the model does not know.
      return { kind, rse, files: rse === homeRse ? random.some(expiringFiles, 1 + random.below(5)) : some() };
    case 'suspect':
      return { kind, rse: random.pick(ruleRses), files: some() };
    case 'lack':
      return { kind, rse: random.pick(ruleRses), files: some(), milliseconds: Math.round(10 ** random.between(3, 6)) };
    case 'limit':
      return { kind, account: random.pick(['root', otherAccount]), rse, bytes: random.pick(quotas) };
    case 'block':
      return { kind, rse: random.pick(ruleRses), settings: { [random.pick(abilities)]: random.chance(0.5) } };
    case 'mark':
      return { kind, rse: random.pick(ruleRses), isMarked: random.chance(0.7) };
    case 'rot':
    case 'stray':
      return { kind, rse: random.pick(ruleRses), files: some() };
    case 'state':
      return { kind, rse: random.pick(ruleRses), files: some(), state: random.pick(replicaStates) };
    case 'reap':
    case 'copy':
    case 'recount':
      return { kind };
    case 'subscribe':
      return {
        kind,
        name: random.pick([lastingSubscription, changingSubscription]),
        rse: random.pick(ruleRses),
        isRetroactive: random.chance(0.4),
      };
    case 'resubscribe':
      return { kind, rse: random.pick(ruleRses), isActive: random.chance(0.6) };
  }
}

function drawRuleChange(name: string, random: Random): RuleChange {
  const to = random.weighed({ move: 2, reduce: 2, remove: 2, change: 6 });
  switch (to) {
    case 'move':
      return { to, rse: random.pick([all, ...ruleRses]) };
    case 'change': {
      const account = random.pick(['root', otherAccount]);
      const options = [
        { account },
        { state: 'STUCK' },
        { state: 'STUCK', cancel_requests: true },
        { state: 'SUSPENDED' },
        { lifetime: random.below(300) },
        { lifetime: null },
        // A DID with a locked rule does not expire.
        { locked: !name.startsWith('x') && random.chance(0.5) },
        { priority: 1 + random.below(4) },
        { purge_replicas: random.chance(0.5) },
        { approve: random.chance(0.8) },
        { approve: true },
      ];
      return { to, options: random.pick(options) };
    }
    case 'reduce':
      return { to };
    case 'remove':
      return { to, purges: false };
  }
}
