import { fail, RucioError } from '../../../errors.ts';
import { addIntegers, type Integer } from '../../../integer.ts';
import { mapLimited } from '../../../parallel.ts';
import type { Table } from '../../../store/batches/table.ts';
import {
  type GlobalLimit,
  listGlobalLimits,
  listLocalLimits,
  type LocalLimit,
  takeTurn,
} from '../../../store/entities/account-limit.ts';
import { listAccountUsage } from '../../../store/entities/account-usage.ts';
import { type Account, getAccount } from '../../../store/entities/account.ts';
import { getRseUsage, ownSource } from '../../../store/entities/rse-usage.ts';
import type { Rse } from '../../../store/entities/rse.ts';
import type { Rule } from '../../../store/entities/rule.ts';
import { insufficientQuota } from '../../account-limits/insufficient-quota.ts';
import { isAccountName, requireActiveAccount } from '../../accounts/find-account.ts';
import { resolveExpression, resolveIfPossible } from '../../rse-expression/resolve-expression.ts';
import { Limit, type Remaining, subtract } from './limit.ts';
import { notWritable } from './messages.ts';
import { type Candidate, Selector } from './selector.ts';

/** Terms that determine the RSEs on which a rule may be placed. */
export type Target = Pick<Rule, 'rseExpression' | 'ignoreAvailability'>;

/** Terms that determine how much of these RSEs the rule may use. */
export interface Quota extends Pick<Rule, 'account' | 'copies' | 'weight' | 'ignoreAccountLimit'> {
  /** Limits that other placements of the same plan have reduced; absent: there are none. */
  readonly quotas?: QuotaReader;
}

/** The most RSEs whose usage is read in parallel. */
const maxParallelReads = 32;

/**
 * The RSEs of a rule's expression that are writable, or all if the rule ignores availability.
 *
 * @throws InvalidRSEExpression, InvalidObject (400); RSEWriteBlocked (409) if none is writable.
 */
export async function findTargets(
  table: Table,
  { rseExpression, ignoreAvailability }: Target,
): Promise<readonly Rse[]> {
  const rses = await resolveExpression(table, rseExpression);
  if (ignoreAvailability === true) return rses;
  const writable = rses.filter(({ availabilityWrite }) => availabilityWrite);
  return writable.length > 0 ? writable : fail('RSEWriteBlocked', notWritable);
}

/**
 * The ids of the source RSEs of a rule; undefined: any RSE.
 *
 * @throws InvalidSourceReplicaExpression (409).
 */
export async function findSources(
  table: Table,
  { sourceReplicaExpression }: Pick<Rule, 'sourceReplicaExpression'>,
): Promise<ReadonlySet<string> | undefined> {
  if (sourceReplicaExpression === undefined || sourceReplicaExpression === '') return undefined;
  try {
    const rses = await resolveExpression(table, sourceReplicaExpression);
    return new Set(rses.map(({ id }) => id));
  } catch (error) {
    if (!(error instanceof RucioError) || error.name === 'DatabaseException') throw error;
    throw new RucioError('InvalidSourceReplicaExpression', error.message, { cause: error });
  }
}

/**
 * Creates the selector for the RSEs of a rule that exists, with the present quota and space (spec/replication.md 3.2). The
 * status of its account does not matter: the data that a rule protects outlive the account, as in Rucio.
 *
 * @throws InvalidRuleWeight, InsufficientTargetRSEs, InsufficientAccountLimit (409).
 */
export async function createSelector(
  table: Table,
  rses: readonly Rse[],
  quota: Quota,
  random?: () => number,
): Promise<Selector> {
  return selectorFor(table, rses, {
    ...quota,
    random,
    isAdmin: async () => isAdmin(await getAccount(table, quota.account)),
  });
}

/**
 * Creates the selector for the RSEs of a new rule: its account must be active.
 *
 * @throws What {@link createSelector} throws; AccountNotFound (404).
 */
export async function createFirstSelector(table: Table, rses: readonly Rse[], quota: Quota): Promise<Selector> {
  const { account } = quota;
  const unknown = `Account ${account} does not exist`;
  const readAccount = async () =>
    isAccountName(account) ? requireActiveAccount(table, account, unknown) : fail('AccountNotFound', unknown);
  return selectorFor(table, rses, { ...quota, isAdmin: async () => isAdmin(await readAccount()) });
}

interface SelectorOptions extends Quota {
  /** Reads whether its account is an admin. */
  readonly isAdmin: () => Promise<boolean>;
  readonly random?: (() => number) | undefined;
}

async function selectorFor(table: Table, rses: readonly Rse[], quota: SelectorOptions): Promise<Selector> {
  const { account, copies, random } = quota;
  const weighted = readWeights(rses, quota.weight);
  if (weighted.length < copies) {
    fail(
      'InsufficientTargetRSEs',
      `Target RSE set not sufficient for number of copies. (${copies} copies requested, RSE set size ${weighted.length})`,
    );
  }
  if ((await quota.isAdmin()) || quota.ignoreAccountLimit === true) {
    return new Selector(weighted.map(toUnlimited), copies, random);
  }
  const quotas = await (quota.quotas ?? new QuotaReader()).read(table, account);
  const allowed = weighted.map((one) => Object.assign(findQuotaOn(one.rse, quotas), one));
  const affordable = allowed.filter(({ quota: own, globals }) => [own, ...globals].every(({ left }) => left > 0));
  if (affordable.length < copies) fail('InsufficientAccountLimit', insufficientQuota);
  const candidates = await mapLimited(affordable, maxParallelReads, async ({ rse, ...candidate }) => {
    const space = new Limit(await readRemainingSpace(table, rse));
    return { ...candidate, rseId: rse.id, space } satisfies Candidate;
  });
  return new Selector(candidates, copies, random);
}

interface Weighted {
  readonly rse: Rse;
  readonly weight: number;
}

function readWeights(rses: readonly Rse[], attribute: string | undefined): Weighted[] {
  if (attribute === undefined) return rses.map((rse) => ({ rse, weight: 1 }));
  return rses
    .filter(({ attributes }) => Object.hasOwn(attributes, attribute))
    .map((rse) => ({ rse, weight: readWeight(rse, attribute) }));
}

function readWeight({ rse, attributes }: Rse, attribute: string): number {
  const text = String(attributes[attribute]).trim();
  const number = typeof attributes[attribute] === 'string' && text !== '' ? Number(text) : Number.NaN;
  if (typeof attributes[attribute] === 'boolean') return Number(attributes[attribute]);
  return Number.isFinite(number)
    ? number
    : fail('InvalidRuleWeight', `The RSE '${rse}' has a non-number specified for the weight '${attribute}'`);
}

function toUnlimited({ rse, weight }: Weighted): Candidate {
  return { rseId: rse.id, weight, quota: unlimited(), globals: [], space: unlimited() };
}

const unlimited = () => new Limit(Number.POSITIVE_INFINITY);

function isAdmin(account: Account | undefined): boolean {
  const { admin } = account?.attributes ?? {};
  return admin !== undefined && admin !== null && admin !== false;
}

interface Quotas {
  /** By the id of the RSE. Without a limit the quota is 0. */
  readonly local: ReadonlyMap<string, Limit>;
  readonly global: readonly { readonly rseIds: ReadonlySet<string>; readonly limit: Limit }[];
}

/** The quotas of accounts, as a plan has read them once: all that it places uses up the same ones. */
export class QuotaReader {
  readonly #byAccount = new Map<string, Promise<Quotas>>();

  read(table: Table, account: string): Promise<Quotas> {
    const quotas = this.#byAccount.get(account) ?? readQuotas(table, account);
    this.#byAccount.set(account, quotas);
    return quotas;
  }
}

async function readQuotas(table: Table, account: string): Promise<Quotas> {
  const [locals, globals] = await Promise.all([
    Array.fromAsync(listLocalLimits(table, account)),
    Array.fromAsync(listGlobalLimits(table, account)),
  ]);
  // After the limits: whoever takes a turn at one of them later is not in what is read here, but fails the plan.
  const usages = await Array.fromAsync(listAccountUsage(table, account));
  const used = new Map(usages.map(({ rseId, bytes }) => [rseId, bytes]));
  const globalQuotas = globals.map(async (limit) => {
    const rseIds = new Set((await resolveIfPossible(table, limit.expression)).map(({ id }) => id));
    const sum = [...rseIds].map((id) => used.get(id) ?? 0).reduce(addIntegers, 0);
    return { rseIds, limit: toLimit(account, limit, sum) };
  });
  return {
    local: new Map(locals.map((limit) => [limit.rseId, toLimit(account, limit, used.get(limit.rseId) ?? 0)])),
    global: await Promise.all(globalQuotas),
  };
}

/** Rest of a limit; -1 means unlimited. */
function toLimit(account: string, limit: LocalLimit | GlobalLimit, used: Integer): Limit {
  if (limit.bytes === -1) return unlimited();
  return new Limit(subtract(limit.bytes, used), (turns) => takeTurn(account, limit, turns));
}

function findQuotaOn({ id, attributes }: Rse, { local, global }: Quotas): Pick<Candidate, 'quota' | 'globals'> {
  if (isMock(attributes)) return { quota: unlimited(), globals: [] };
  const globals = global.filter(({ rseIds }) => rseIds.has(id)).map(({ limit }) => limit);
  return { quota: local.get(id) ?? new Limit(0), globals };
}

async function readRemainingSpace(table: Table, { id, limits, attributes }: Rse): Promise<Remaining> {
  const limit = Object.hasOwn(limits, 'MaxSpaceAvailable') ? limits['MaxSpaceAvailable'] : undefined;
  if (isMock(attributes) || limit === undefined || limit < 0) return Number.POSITIVE_INFINITY;
  const usage = await getRseUsage(table, id, ownSource);
  return subtract(limit, usage?.used ?? 0);
}

/** A mock RSE has unlimited space and quota. */
function isMock(attributes: Rse['attributes']): boolean {
  return Object.hasOwn(attributes, 'mock') && attributes['mock'] !== false;
}
