import type { DidKey, DidType } from '../../contract/schemas/did.ts';
import { mapRows } from '../../rows/map-rows.ts';
import { mergeSorted } from '../../rows/merge-sorted.ts';
import type { ReadyRows } from '../../rows/ready-rows.ts';
import type { Slice, Table } from '../batches/table.ts';
import { type Item, stagedPrefix } from '../items/item.ts';
import {
  attributesReader,
  isFlag,
  isNumber,
  isText,
  itemReader,
  listOf,
  oneOf,
  optional,
} from '../items/read-attributes.ts';
import { didKeys } from '../keys/did-keys.ts';
import { lastPart, textOfKey } from '../keys/key-parts.ts';
import { ruleIdOf, type RuleIdentity, ruleKeys } from '../keys/rule-keys.ts';
import { shards } from '../values/shards.ts';
import { isDidType } from './did-type.ts';

/**
 * The stored status of a rule. `ACTIVE`: its state follows from its locks. `INJECT`: accepted, to be placed. `FAILED`: it could
 * not be placed, for the reason in `error`, and its state is STUCK.
 */
export type RuleStatus = 'ACTIVE' | 'INJECT' | 'WAITING_APPROVAL' | 'SUSPENDED' | 'FAILED';

/** A replication rule; dates in milliseconds since 1970 (spec/replication.md 2.2). */
export interface Rule extends RuleIdentity {
  /** 32 lower-case hex digits. */
  readonly id: string;
  readonly did: DidKey;
  readonly didType: DidType;
  readonly grouping: 'ALL' | 'DATASET' | 'NONE';
  readonly status: RuleStatus;
  /** The numbers of its locks, by state. */
  readonly ok: number;
  readonly replicating: number;
  readonly stuck: number;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** Absent: never. */
  readonly expiresAt?: number;
  readonly stuckAt?: number;
  /** When the next of its regular repairs is due; in the past: none is. */
  readonly repairAt?: number;
  readonly eolAt?: number;
  readonly error?: string;
  readonly weight?: string;
  /** It cannot be deleted and does not expire. */
  readonly locked?: boolean;
  readonly subscriptionId?: string;
  readonly sourceReplicaExpression?: string;
  readonly activity: string;
  readonly notification: 'YES' | 'NO' | 'CLOSE' | 'PROGRESS';
  readonly purgeReplicas?: boolean;
  readonly ignoreAvailability?: boolean;
  readonly ignoreAccountLimit?: boolean;
  readonly priority: number;
  readonly comments?: string;
  /** The rule that it waits for before it is deleted. */
  readonly childRuleId?: string;
  /** Another rule waits for it, or has waited. */
  readonly awaited?: boolean;
  readonly splitContainer?: boolean;
  /** As on the wire. */
  readonly meta?: string;
  /** With grouping ALL: the RSEs on which it was placed. */
  readonly rseIds?: readonly string[];
  /** It is being placed: some of its locks exist already. */
  readonly injecting?: boolean;
  /** It is being removed: it gets no more locks. */
  readonly removing?: boolean;
  /** The state under which its subscription counts it; absent: not yet counted. */
  readonly countedAs?: string;
  /** Counts the changes of the item. */
  readonly rev?: number;
  /** The batches with a staged change of this rule. */
  readonly unsettled: readonly string[];
}

/** A rule to insert. */
export type NewRule = Omit<Rule, 'rev' | 'unsettled'>;

/** The rule of an id. */
export async function getRule(table: Table, id: string): Promise<Rule | undefined> {
  const item = await table.get(ruleKeys.rule(id));
  return item === undefined ? undefined : toRule(item);
}

/** Many rules, by id; missing ones are left out. */
export async function getRules(table: Table, ids: Iterable<string>): Promise<ReadonlyMap<string, Rule>> {
  const items = await table.getMany(Array.from(ids, ruleKeys.rule));
  return new Map(items.map((item) => [ruleIdOf(item), toRule(item)]));
}

/** The ids of the rules that were placed on a DID itself. */
export async function listRuleIds(table: Table, did: DidKey): Promise<string[]> {
  const pointers = await Array.fromAsync(table.query({ pk: didKeys.partition(did), ...ruleKeys.pointers }));
  return pointers.map(({ id }) => String(id));
}

/** The DIDs, as `scope:name`, that already have a rule of the same identity. */
export async function hasRules(
  table: Table,
  wanted: readonly (RuleIdentity & { readonly did: DidKey })[],
): Promise<ReadonlySet<string>> {
  const named = new Map(
    wanted.map(({ did, ...identity }) => [textOfKey(ruleKeys.pointer(did, identity)), `${did.scope}:${did.name}`]),
  );
  const found = await table.getMany(wanted.map(({ did, ...identity }) => ruleKeys.pointer(did, identity)));
  return new Set(found.flatMap((item) => named.get(textOfKey(item)) ?? []));
}

/** The id of a DID's rule of an identity; undefined if there is none. */
export async function findRuleId(table: Table, did: DidKey, identity: RuleIdentity): Promise<string | undefined> {
  const pointer = await table.get(ruleKeys.pointer(did, identity));
  return pointer === undefined ? undefined : String(pointer['id']);
}

/** The rules that were placed on a DID itself, by id; `slice` by id. */
export async function* listRulesOf(table: Table, did: DidKey, { after }: Slice = {}): AsyncGenerator<Rule> {
  const ids = (await listRuleIds(table, did)).filter((id) => after === undefined || id > after).toSorted();
  const rules = await getRules(table, ids);
  for (const id of ids) {
    const rule = rules.get(id);
    if (rule !== undefined) yield rule;
  }
}

/** A position in a list of rules: the creation time of a rule, in milliseconds, and its id. */
export type RulePlace = Pick<Rule, 'createdAt' | 'id'>;

/** The ids of the rules of an account in order of their creation. Eventually consistent. */
export function listRuleIdsOfAccount(
  table: Table,
  account: string,
  { after, pageSize }: Slice<RulePlace> = {},
): ReadyRows<string> {
  const start = after === undefined ? undefined : ruleKeys.ruleOfAccount(account, after.createdAt, after.id).GSI2SK;
  const streams = shards.map((shard) =>
    table.query({ index: 'GSI2', pk: ruleKeys.accountShard(account, shard), after: start, pageSize }),
  );
  return mapRows(mergeSorted(streams, sortKeyOf), idOfEntry);
}

/** The ids of the rules of a subscription in order of their creation. */
export function listRuleIdsOfSubscription(
  table: Table,
  subscriptionId: string,
  { after, pageSize }: Slice<RulePlace> = {},
): ReadyRows<string> {
  const start = after === undefined ? undefined : ruleKeys.ofSubscription(subscriptionId, after.createdAt, after.id).SK;
  const streams = shards.map((shard) =>
    table.query({ pk: ruleKeys.subscriptionShard(subscriptionId, shard), after: start, pageSize }),
  );
  return mapRows(
    mergeSorted(streams, ({ SK }) => SK),
    lastPart,
  );
}

const sortKeyOf = (item: Item) => String(item['GSI2SK']);

const idOfEntry = (item: Item) => lastPart({ PK: '', SK: sortKeyOf(item) });

const optionalText = optional(isText);
const optionalNumber = optional(isNumber);
const optionalFlag = optional(isFlag);

const readDid = attributesReader<DidKey>({ scope: isText, name: isText });

const readRule = itemReader<Omit<Rule, 'id' | 'did' | 'unsettled'>>({
  account: isText,
  rseExpression: isText,
  copies: isNumber,
  didType: isDidType,
  grouping: oneOf<Rule['grouping']>({ ALL: true, DATASET: true, NONE: true }),
  status: oneOf<RuleStatus>({
    ACTIVE: true,
    INJECT: true,
    WAITING_APPROVAL: true,
    SUSPENDED: true,
    FAILED: true,
  }),
  ok: isNumber,
  replicating: isNumber,
  stuck: isNumber,
  createdAt: isNumber,
  updatedAt: isNumber,
  expiresAt: optionalNumber,
  stuckAt: optionalNumber,
  repairAt: optionalNumber,
  eolAt: optionalNumber,
  error: optionalText,
  weight: optionalText,
  locked: optionalFlag,
  subscriptionId: optionalText,
  sourceReplicaExpression: optionalText,
  activity: isText,
  notification: oneOf<Rule['notification']>({ YES: true, NO: true, CLOSE: true, PROGRESS: true }),
  purgeReplicas: optionalFlag,
  ignoreAvailability: optionalFlag,
  ignoreAccountLimit: optionalFlag,
  priority: isNumber,
  comments: optionalText,
  childRuleId: optionalText,
  successor: optionalText,
  awaited: optionalFlag,
  splitContainer: optionalFlag,
  meta: optionalText,
  rseIds: optional(listOf(isText)),
  injecting: optionalFlag,
  removing: optionalFlag,
  countedAs: optionalText,
  rev: optionalNumber,
});

/** Reads a rule out of its item. */
export function toRule(item: Item): Rule {
  const unsettled: string[] = [];
  const rule = readRule(item, { id: ruleIdOf(item), did: readDid(item), unsettled }, (attribute) => {
    if (attribute.startsWith(stagedPrefix)) unsettled.push(attribute.slice(stagedPrefix.length));
  });
  if (item.gone !== undefined) unsettled.push(item.gone);
  return rule;
}
