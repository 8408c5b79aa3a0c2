/** Rules to create for an account. */
export interface NewRules {
  readonly account: string;
  readonly locked: boolean;
  readonly asksApproval: boolean;
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
  /** The options that it names. */
  readonly options: readonly string[];
}
