import { isRootOrAdmin, type Subject } from './subject.ts';

/** Rules to create for an account. */
export interface NewRules {
  readonly account: string;
  readonly locked: boolean;
}

/** An existing rule. */
export interface OwnedRule {
  /** The owner of the rule; undefined when the rule does not exist. */
  readonly account: string | undefined;
}

/** A rule with changed options. */
export interface ChangedRule extends OwnedRule {
  /** The change gives the rule to another account, or locks it. */
  readonly isPrivileged: boolean;
}

/** Permission to create rules (spec/replication.md 6). */
export const mayAddRules = async (subject: Subject, { account, locked }: NewRules) =>
  (await isRootOrAdmin(subject)) || (account === subject.account && !locked);

/** Permission to delete, move and reduce a rule (spec/replication.md 6). */
export const mayEndRule = async (subject: Subject, { account }: OwnedRule) =>
  account === subject.account || (await isRootOrAdmin(subject));

/** Permission to change a rule (spec/replication.md 6). */
export const mayChangeRule = async (subject: Subject, { account, isPrivileged }: ChangedRule) =>
  (account === subject.account && !isPrivileged) || (await isRootOrAdmin(subject));
