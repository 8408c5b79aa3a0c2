import type { DidKey } from '../../contract/schemas/did.ts';
import { authorize } from '../../domain/permission/authorize.ts';
import { resolveExpression } from '../../domain/rse-expression/resolve.ts';
import { isApproved } from '../../domain/rules/engine/approval.ts';
import { bearerOf } from '../../domain/rules/engine/archive.ts';
import { makeRule } from '../../domain/rules/engine/make-rule.ts';
import { RequestPlacements } from '../../domain/rules/engine/request-placements.ts';
import { checkTerms } from '../../domain/rules/engine/rule-checks.ts';
import { duplicateRule, newRule, type RuleWish } from '../../domain/rules/new-rule.ts';
import { type RuleWishes } from '../../domain/rules/rule-wishes.ts';
import type { Context } from '../../domain/values/context.ts';
import { formatDid } from '../../domain/values/format-did.ts';
import { isValidDid } from '../../domain/values/names.ts';
import { fail, RucioError } from '../../errors.ts';
import type { Table } from '../../store/batches/table.ts';
import { type Did, getDids } from '../../store/entities/did.ts';
import { hasRules, type NewRule } from '../../store/entities/rule.ts';
import type { Plan, Write } from '../../store/items/plan.ts';

/**
 * Makes a rule part of something larger, in the plan that it is made by: says how it differs, and what is written with
 * it. Throws where it is not as it has to be; nothing is written then.
 */
export type Join = (latest: Table, rule: NewRule) => Promise<{ readonly rule: NewRule; readonly writes: Plan }>;

/** How often a request tries to place rules on what others change meanwhile, before it leaves that to tasks. */
const patience = 2;

/** From so many locks on Rucio does not place at once what is closed (spec/replication.md 3.4). */
const large = 10_000;

/**
 * Makes rules, all or none, and returns their ids in the order of the DIDs. What is small is placed at once; the rest is
 * accepted, and placed by a task (spec/replication.md 2.3).
 *
 * @throws AccessDenied (401); InvalidValueForKey (400) for no copies; what {@link checkTerms} throws;
 *   DataIdentifierNotFound (404); DuplicateRule, InvalidReplicationRule, InsufficientTargetRSEs, RSEOverQuota,
 *   InsufficientAccountLimit (409).
 */
export async function addRules(context: Context, wishes: RuleWishes, join?: Join): Promise<readonly string[]> {
  const { store, issuer, now } = context;
  const { dids, ask_approval, asynchronous, delay_injection, ...wish } = wishes;
  const account = wish.account ?? issuer.account;
  await authorize(context, 'add_rule', { account, locked: wish.locked === true });
  if (wish.copies <= 0) {
    fail('InvalidValueForKey', 'The number of copies for a replication rule should be greater than 0.');
  }
  const terms = { ...wish, account, activity: wish.activity ?? 'User Subscriptions' };
  const request = {
    terms,
    asksApproval: ask_approval === true,
    delay: Math.max(0, delay_injection ?? 0),
    isLater: asynchronous === true || (delay_injection ?? 0) !== 0,
    now,
  };
  let attempts = 0;
  return store.decide(async (latest) => {
    attempts += 1;
    const { rules, writes } = await planRules(latest.latest(), dids, { ...request, join, leaves: attempts > patience });
    return { writes, answer: rules.map(({ id }) => id) };
  });
}

interface Request {
  readonly terms: RuleWish;
  readonly asksApproval: boolean;
  /** In seconds. */
  readonly delay: number;
  readonly isLater: boolean;
  /** What is placed is left to tasks. */
  readonly leaves: boolean;
  readonly join: Join | undefined;
  readonly now: number;
}

async function planRules(
  table: Table,
  dids: readonly DidKey[],
  request: Request,
): Promise<{ readonly rules: readonly NewRule[]; readonly writes: Plan }> {
  const { terms, asksApproval, now } = request;
  const draft = newRule({ scope: '', name: '', type: 'FILE' }, terms, now);
  const checked = await checkTerms(table, { ...draft, asksApproval });
  const bearers = await findBearers(table, dids);
  const existing = await hasRules(
    table,
    bearers.flatMap((did) => (did === undefined ? [] : [{ did, ...identityOf(draft) }])),
  );
  const placements = new RequestPlacements(table, checked, now, request.leaves);
  const rules: NewRule[] = [];
  const taken = new Set<string>();
  for (const [index, did] of bearers.entries()) {
    if (did === undefined)
      fail('DataIdentifierNotFound', `Data identifier ${formatDid(dids[index] as DidKey)} is not valid.`);
    const key = formatDid(did);
    if (taken.has(key) || existing.has(key)) throw duplicate();
    taken.add(key);
    const rule = { ...newRule(did, terms, now), ...(checked.isLocked ? { locked: true } : {}) };
    rules.push(await decide(table, { did, rule, placements }, request));
  }
  const counted = rules.map((rule) => placements.counted(rule));
  const joined = await Promise.all(counted.map(async (rule) => request.join?.(table, rule) ?? { rule, writes: [] }));
  const made: Write[] = joined.flatMap(({ rule }) => makeRule(rule, duplicate, now));
  return { rules: counted, writes: [...made, ...joined.flatMap(({ writes }) => writes), ...placements.writes()] };
}

const identityOf = ({ account, rseExpression, copies }: NewRule) => ({ account, rseExpression, copies });

function duplicate(): RucioError {
  return new RucioError('DuplicateRule', duplicateRule);
}

async function findBearers(table: Table, dids: readonly DidKey[]): Promise<(Did | undefined)[]> {
  const found = await getDids(table, dids.filter(isValidDid));
  const known = new Map(found.map((did) => [formatDid(did), did]));
  return Promise.all(
    dids.map(async (key) => {
      const did = known.get(formatDid(key));
      return did === undefined ? undefined : bearerOf(table, did);
    }),
  );
}

interface Candidate {
  readonly did: Did;
  readonly rule: NewRule;
  readonly placements: RequestPlacements;
}

/** What becomes of a rule in the request: it waits for approval or for its time, or is placed at once. */
async function decide(table: Table, { did, rule, placements }: Candidate, request: Request): Promise<NewRule> {
  const { asksApproval, isLater, delay } = request;
  if (asksApproval) {
    const approved = isApproved(did, await resolveExpression(table, rule.rseExpression));
    return approved ? { ...rule, ignoreAccountLimit: true } : { ...rule, status: 'WAITING_APPROVAL' };
  }
  if (isLater) return { ...rule, createdAt: rule.createdAt + delay * 1_000 };
  const isSplit = rule.splitContainer === true && did.type === 'CONTAINER';
  const isLarge = did.open === false && Number(did.length ?? 0) * rule.copies >= large;
  if (isSplit || isLarge) return rule;
  return placements.place(rule, did);
}
