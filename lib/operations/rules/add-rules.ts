import type { DidKey } from '../../contract/schemas/did.ts';
import { authorize } from '../../domain/permission/authorize.ts';
import { resolveExpression, resolveIfPossible } from '../../domain/rse-expression/resolve-expression.ts';
import { isAutoApproved } from '../../domain/rules/engine/approval.ts';
import { checkTerms, withTerms } from '../../domain/rules/engine/check-terms.ts';
import { planNewRule } from '../../domain/rules/engine/plan-new-rule.ts';
import { RequestPlacements } from '../../domain/rules/engine/request-placements.ts';
import { resolveConstituent } from '../../domain/rules/engine/resolve-constituent.ts';
import {
  isDoneAtOnce,
  noCounting,
  planCounting,
  withCounting,
} from '../../domain/rules/life-cycle/count-in-subscription.ts';
import { buildRule, duplicateRule, type RuleProperties } from '../../domain/rules/new-rule.ts';
import { type RulesRequest } from '../../domain/rules/rules-request.ts';
import type { Context } from '../../domain/values/context.ts';
import { isValidDid } from '../../domain/values/did-names.ts';
import { formatDid } from '../../domain/values/format-did.ts';
import { fail, RucioError } from '../../errors.ts';
import type { Table } from '../../store/batches/table.ts';
import { type Did, getDids, touchDid } from '../../store/entities/did.ts';
import { hasRules, type NewRule, type Rule } from '../../store/entities/rule.ts';
import { omitTouched, type Plan, type Write } from '../../store/items/plan.ts';

/**
 * Embeds the creation of a rule in a larger operation: changes the rule and adds writes to its plan. It throws if the
 * rule does not meet its conditions; then nothing is written.
 */
export type Join = (latest: Table, rule: NewRule) => Promise<Joined>;

/** The rule as it is to be made, and what its plan writes besides. */
interface Joined {
  readonly rule: NewRule;
  readonly writes: Plan;
  /** The rule whose identity it takes over: it is no duplicate of it. */
  readonly predecessor?: Rule | undefined;
}

/** The most attempts to place rules on collections under concurrent changes; after that they are left to tasks. */
const maxAttempts = 2;

/** Rucio defers the placement of a closed DID from this number of locks on (spec/replication.md 3.4). */
const maxImmediateLocks = 10_000;

/**
 * Creates rules, all or none, and returns their ids in the order of the DIDs. Small rules are placed at once; larger
 * ones are accepted, and placed by a task (spec/replication.md 2.3).
 *
 * @throws AccessDenied (401); InvalidValueForKey (400) for no copies; what {@link checkTerms} throws;
 *   DataIdentifierNotFound (404); DuplicateRule, InvalidReplicationRule, InsufficientTargetRSEs, RSEOverQuota,
 *   InsufficientAccountLimit (409).
 */
export async function addRules(context: Context, wishes: RulesRequest, join?: Join): Promise<readonly string[]> {
  const { store, issuer, now } = context;
  const { dids, ask_approval, asynchronous, delay_injection, ...wish } = wishes;
  const account = wish.account ?? issuer.account;
  await authorize(context, 'add_rule', {
    account,
    locked: wish.locked === true,
    asksApproval: ask_approval === true,
    rses: () => resolveIfPossible(store.table, wish.rse_expression),
  });
  if (wish.copies <= 0) {
    fail('InvalidValueForKey', 'The number of copies for a replication rule should be greater than 0.');
  }
  const terms = { ...wish, account, activity: wish.activity ?? 'User Subscriptions' };
  const request = {
    terms,
    asksApproval: ask_approval === true,
    delaySeconds: Math.max(0, delay_injection ?? 0),
    isDeferred: asynchronous === true || (delay_injection ?? 0) !== 0,
    now,
  };
  let attempts = 0;
  return store.decide(async (latest) => {
    attempts += 1;
    const { rules, writes } = await planRules(latest.latest(), dids, {
      ...request,
      join,
      defersCollections: attempts > maxAttempts,
      countsAtOnce: isDoneAtOnce(attempts),
    });
    return { writes, answer: rules.map(({ id }) => id) };
  });
}

interface Request {
  readonly terms: RuleProperties;
  readonly asksApproval: boolean;
  /** Before the rule is placed. */
  readonly delaySeconds: number;
  readonly isDeferred: boolean;
  /** Whether rules on collections are left to tasks. */
  readonly defersCollections: boolean;
  /** Whether the subscription of the rules counts them in the same plan. */
  readonly countsAtOnce: boolean;
  readonly join: Join | undefined;
  readonly now: number;
}

async function planRules(
  table: Table,
  dids: readonly DidKey[],
  request: Request,
): Promise<{ readonly rules: readonly NewRule[]; readonly writes: Plan }> {
  const { terms, asksApproval, now } = request;
  const draft = buildRule({ scope: '', name: '', type: 'FILE' }, terms, now);
  const checked = await checkTerms(table, { ...draft, asksApproval });
  const targets = await findTargetDids(table, dids);
  const existing = await hasRules(
    table,
    targets.flatMap((did) => (did === undefined ? [] : [{ did, ...identityOf(draft) }])),
  );
  const duplicate = (did: DidKey) => duplicateError(dids.length > 1 ? formatDid(did) : undefined);
  const placements = new RequestPlacements(table, checked, now, request.defersCollections);
  const rules: NewRule[] = [];
  const seen = new Set<string>();
  for (const [index, did] of targets.entries()) {
    if (did === undefined)
      fail('DataIdentifierNotFound', `Data identifier ${formatDid(dids[index] as DidKey)} is not valid.`);
    const key = formatDid(did);
    // A rule that takes over an identity meets its predecessor here.
    if (seen.has(key) || (existing.has(key) && request.join === undefined)) throw duplicate(did);
    seen.add(key);
    const rule = withTerms(buildRule(did, terms, now), checked);
    rules.push(await placeOrDefer(table, { did, rule, placements }, request));
  }
  const counted = rules.map((rule) => placements.counted(rule));
  const joined = await Promise.all(
    counted.map(async (rule): Promise<Joined> => request.join?.(table, rule) ?? { rule, writes: [] }),
  );
  const made = joined.map(({ rule }) => rule);
  const counting = request.countsAtOnce ? await planCounting(table, made) : noCounting;
  const ruleWrites: Write[] = joined.flatMap(({ rule, predecessor }) =>
    planNewRule(withCounting(rule, counting), () => duplicate(rule.did), now, predecessor),
  );
  const otherWrites = [...joined.flatMap(({ writes }) => writes), ...counting.writes, ...placements.writes()];
  const writes = [...ruleWrites, ...otherWrites];
  // A deletion of a DID must find its rules.
  const touches = targets.flatMap((did) => (did === undefined ? [] : [touchDid(did)]));
  return { rules: counted, writes: [...writes, ...omitTouched(touches, writes)] };
}

const identityOf = ({ account, rseExpression, copies }: NewRule) => ({ account, rseExpression, copies });

/** @param did The DID that has such a rule; absent: the request names one only. */
function duplicateError(did?: string): RucioError {
  return new RucioError('DuplicateRule', did === undefined ? duplicateRule : `${duplicateRule} It is on ${did}.`);
}

async function findTargetDids(table: Table, dids: readonly DidKey[]): Promise<(Did | undefined)[]> {
  const found = await getDids(table, dids.filter(isValidDid));
  const known = new Map(found.map((did) => [formatDid(did), did]));
  return Promise.all(
    dids.map(async (key) => {
      const did = known.get(formatDid(key));
      return did === undefined ? undefined : resolveConstituent(table, did);
    }),
  );
}

interface Candidate {
  readonly did: Did;
  readonly rule: NewRule;
  readonly placements: RequestPlacements;
}

/** Decides what the request does with a rule: it waits for approval, is left to a task, or is placed at once. */
async function placeOrDefer(table: Table, { did, rule, placements }: Candidate, request: Request): Promise<NewRule> {
  const { asksApproval, isDeferred, delaySeconds } = request;
  if (asksApproval) {
    const approved = isAutoApproved(did, await resolveExpression(table, rule.rseExpression));
    return approved ? { ...rule, ignoreAccountLimit: true } : { ...rule, status: 'WAITING_APPROVAL' };
  }
  if (isDeferred) return { ...rule, createdAt: rule.createdAt + delaySeconds * 1_000 };
  const isSplit = rule.splitContainer === true && did.type === 'CONTAINER';
  const isLarge =
    did.type !== 'FILE' && did.open === false && Number(did.length ?? 0) * rule.copies >= maxImmediateLocks;
  if (isSplit || isLarge) return rule;
  return placements.place(rule, did);
}
