import { rootOrAdmin, type Subject } from './subject.ts';

/** Rules that are made for an account. */
export interface NewRulesOf {
  readonly account: string;
  readonly locked: boolean;
}

/** A rule to which something is done. */
export interface RuleOf {
  /** Whose rule it is; undefined where there is none. */
  readonly account: string | undefined;
}

/** A rule whose options are changed. */
export interface ChangedRule extends RuleOf {
  /** The change gives it to another account, or locks it. */
  readonly isPrivileged: boolean;
}

/** Who may make rules (spec/replication.md 6). */
export const mayAddRules = async (subject: Subject, { account, locked }: NewRulesOf) =>
  (await rootOrAdmin(subject)) || (account === subject.account && !locked);

/** Who may delete, move and reduce a rule (spec/replication.md 6). */
export const mayEndRule = async (subject: Subject, { account }: RuleOf) =>
  account === subject.account || (await rootOrAdmin(subject));

/** Who may change a rule (spec/replication.md 6). */
export const mayChangeRule = async (subject: Subject, { account, isPrivileged }: ChangedRule) =>
  (account === subject.account && !isPrivileged) || (await rootOrAdmin(subject));
