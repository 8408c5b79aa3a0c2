import { readBoolean } from '../../python/boolean.ts';
import type { Facts } from './facts.ts';

/** The account that may do everything. */
export const rootAccount = 'root';

/** Subject of a permission: the issuer. Each method may cost a read. */
export interface Subject {
  readonly account: string;
  readonly isRoot: boolean;
  /** Whether an attribute has a true value (`true` or `1`). */
  has(attribute: string): Promise<boolean>;
  /** The names of its attributes without a prefix, such as `country-`, which have one of these values. */
  rolesOf(prefix: string, values: readonly string[]): Promise<readonly string[]>;
  /** Whether the scope belongs to it. */
  owns(scope: string): Promise<boolean>;
}

/** Allows root and admins. */
export const isRootOrAdmin = async (subject: Subject) => subject.isRoot || subject.has('admin');

/** Whether it makes the copies that rules ask for. */
export const movesData = (subject: Subject) => subject.has('mover');

/** Whether a test holds for all scopes; tests each scope once. */
export async function holdsForEveryScope(
  scopes: readonly string[],
  test: (scope: string) => Promise<boolean>,
): Promise<boolean> {
  const verdicts = await Promise.all([...new Set(scopes)].map(test));
  return verdicts.every(Boolean);
}

/** The issuer of an account. */
export function subjectOf(account: string, facts: Pick<Facts, 'account' | 'scope'>): Subject {
  const attributes = async () => (await facts.account(account))?.attributes ?? {};
  return {
    account,
    isRoot: account === rootAccount,
    has: async (attribute) => readBoolean((await attributes())[attribute]) === true,
    rolesOf: async (prefix, values) =>
      Object.entries(await attributes())
        .filter(([key, value]) => key.startsWith(prefix) && values.includes(String(value)))
        .map(([key]) => key.slice(prefix.length)),
    owns: async (scope) => (await facts.scope(scope))?.account === account,
  };
}
