import type { RoleAtRse, RseAttribute, Test } from '../../policy/rights.ts';
import type { AttributedRse } from './permission-targets.ts';
import { answersForEvery, type ClaimedFile, isKnown } from './replica-permission.ts';
import { holdsForEveryScope, rootAccount, type Subject } from './subject.ts';

/** Properties of the target of an action that rights ask for; each action has those of its rights. */
export interface Asked {
  readonly scope?: string;
  readonly scopes?: readonly string[];
  readonly account?: string | undefined;
  readonly accounts?: readonly string[];
  readonly ruleAccounts?: readonly string[];
  readonly locksRules?: boolean;
  readonly locked?: boolean;
  readonly isPrivileged?: boolean;
  readonly isOwn?: boolean;
  readonly isOrdinary?: boolean;
  readonly asksApproval?: boolean;
  readonly rseName?: string;
  readonly options?: readonly string[];
  readonly files?: () => Promise<readonly ClaimedFile[]>;
  readonly hasLimit?: () => Promise<boolean>;
  readonly rses?: () => Promise<readonly AttributedRse[]>;
}

type Verdict = boolean | Promise<boolean>;

/** A test, ready to be asked. */
export interface Predicate {
  /** Sources that it reads: nothing, the account, scopes, or something of the target. The cheapest are asked first. */
  readonly cost: 0 | 1 | 2 | 3;
  readonly holds: (subject: Subject, target: Asked) => Verdict;
}

const named: Readonly<Record<Extract<Test, string>, Predicate>> = {
  anyone: { cost: 0, holds: () => true },
  root: { cost: 0, holds: ({ isRoot }) => isRoot },
  'own account': { cost: 0, holds: (subject, { account }) => account === subject.account },
  'not of root': {
    cost: 0,
    holds: (_subject, { account, accounts = [account] }) => !accounts.includes(rootAccount),
  },
  'own password': { cost: 0, holds: (_subject, { isOwn }) => isOwn === true },
  'own rules': {
    cost: 0,
    holds: (subject, { locksRules, ruleAccounts = [] }) =>
      locksRules === false && ruleAccounts.every((account) => account === subject.account),
  },
  unlocked: { cost: 0, holds: (_subject, { locked }) => locked === false },
  'plain change': { cost: 0, holds: (_subject, { isPrivileged }) => isPrivileged === false },
  'results of transfers': { cost: 0, holds: (_subject, { isOrdinary }) => isOrdinary === true },
  'asks approval': { cost: 0, holds: (_subject, { asksApproval }) => asksApproval === true },
  quota: { cost: 3, holds: (_subject, { hasLimit }) => hasLimit?.() ?? false },
};

const files: Readonly<Record<Files, (subject: Subject, claimed: readonly ClaimedFile[]) => Verdict>> = {
  'none new': (_subject, claimed) => claimed.every(isKnown),
  owned: (subject, claimed) => ownsAll(subject, claimed),
  'new owned': (subject, claimed) =>
    ownsAll(
      subject,
      claimed.filter((file) => !isKnown(file)),
    ),
  'known answered': (subject, claimed) => answersForEvery(subject, claimed.filter(isKnown)),
};

type Files = Extract<Test, { files: unknown }>['files'];

const ownsAll = (subject: Subject, claimed: readonly ClaimedFile[]) =>
  holdsForEveryScope(
    claimed.map(({ scope }) => scope),
    (scope) => subject.owns(scope),
  );

/** A test of a right, ready to be asked. */
export function predicateOf(test: Test): Predicate {
  if (typeof test === 'string') return named[test];
  if ('has' in test) return { cost: 1, holds: (subject) => subject.has(test.has) };
  if ('role' in test) {
    const { prefix, values } = test.role;
    return { cost: 1, holds: async (subject) => (await subject.rolesOf(prefix, values)).length > 0 };
  }
  if ('owns' in test) return owning(test.owns);
  if ('roleAt' in test) return { cost: 3, holds: (subject, target) => hasRoleAt(test.roleAt, subject, target) };
  if ('listedIn' in test) {
    const { listedIn } = test;
    return ofRses(listedIn, (value, account) => typeof value === 'string' && value.split(',').includes(account));
  }
  if ('rseIs' in test) {
    const { rseIs } = test;
    return ofRses(rseIs, (value) => rseIs.values.includes(String(value)));
  }
  if ('keeps' in test) {
    return { cost: 0, holds: (_subject, { options = [] }) => !options.some((option) => test.keeps.includes(option)) };
  }
  if ('changesOnly' in test) {
    return {
      cost: 0,
      holds: (_subject, { options = [] }) => options.every((option) => test.changesOnly.includes(option)),
    };
  }
  if ('files' in test) {
    const judge = files[test.files];
    return { cost: 2, holds: async (subject, target) => judge(subject, (await target.files?.()) ?? []) };
  }
  const pattern = new RegExp(test.rse);
  return { cost: 0, holds: (_subject, { rseName = '' }) => pattern.test(rseName) };
}

function owning(others: readonly string[]): Predicate {
  return {
    cost: 2,
    holds: (subject, { scope = '', scopes = [scope] }) =>
      holdsForEveryScope(
        scopes.filter((one) => !others.includes(one)),
        (one) => subject.owns(one),
      ),
  };
}

async function hasRoleAt(role: RoleAtRse, subject: Subject, { rses }: Asked): Promise<boolean> {
  const own = new Set<unknown>(await subject.rolesOf(role.prefix, role.values));
  if (own.size === 0 || rses === undefined) return false;
  const isAt = ({ attributes }: AttributedRse) =>
    own.has(attributes[role.attribute]) && (role.types?.includes(String(attributes['type'])) ?? true);
  return holdsAt(role, await rses(), isAt);
}

function ofRses(asked: RseAttribute, judge: (value: unknown, account: string) => boolean): Predicate {
  return {
    cost: 3,
    holds: async ({ account }, { rses }) =>
      holdsAt(asked, (await rses?.()) ?? [], ({ attributes }) => judge(attributes[asked.attribute], account)),
  };
}

/** Whether a statement holds for every RSE, or for one of them. For an empty list it never holds. */
const holdsAt = (
  { every }: { readonly every?: true },
  rses: readonly AttributedRse[],
  judge: (rse: AttributedRse) => boolean,
) => (every === true ? rses.length > 0 && rses.every(judge) : rses.some(judge));
