import { readBoolean } from '../../python/boolean.ts';
import type { Facts } from './facts.ts';

/** The account that may do everything. */
export const rootAccount = 'root';

/** The attributes of accounts that grant rights, by what they grant. Each holds only for a true value (`true` or `1`). */
const grants = { administration: 'admin', signing: 'sign-url', moving: 'mover' } as const;

/** Subject of a permission: the issuer. Each method may cost a read. */
export interface Subject {
  readonly account: string;
  readonly isRoot: boolean;
  /** Whether it has the attribute `admin`. */
  isAdmin(): Promise<boolean>;
  /** Whether it has the attribute `sign-url`: it may have URLs signed. */
  mayHaveSigned(): Promise<boolean>;
  /** Whether it has the attribute `mover`: it may make the copies that rules ask for. */
  movesData(): Promise<boolean>;
  /** The countries in its attributes `country-<country>` = `admin`. */
  administers(): Promise<readonly string[]>;
  /** Whether the scope belongs to it. */
  owns(scope: string): Promise<boolean>;
}

/** Allows root and admins. */
export const isRootOrAdmin = async (subject: Subject) => subject.isRoot || (await subject.isAdmin());
/** Allows root only. */
export const isRootAccount = (subject: Subject) => subject.isRoot;

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
  const has = async (grant: keyof typeof grants) => readBoolean((await attributes())[grants[grant]]) === true;
  return {
    account,
    isRoot: account === rootAccount,
    isAdmin: () => has('administration'),
    mayHaveSigned: () => has('signing'),
    movesData: () => has('moving'),
    administers: async () =>
      Object.entries(await attributes())
        .filter(([key, value]) => key.startsWith('country-') && value === 'admin')
        .map(([key]) => key.slice('country-'.length)),
    owns: async (scope) => (await facts.scope(scope))?.account === account,
  };
}
