/** What a permission rule may ask about the issuer; each answer may cost a read. */
export interface Subject {
  readonly account: string;
  readonly isRoot: boolean;
  /** Has the attribute `admin` with any value but false. */
  isAdmin(): Promise<boolean>;
  /** The countries that it administers: those of its attributes `country-<country>` = `admin`. */
  administers(): Promise<readonly string[]>;
  /** Is the account of the scope. */
  owns(scope: string): Promise<boolean>;
}

/** Root, or an admin. */
export const rootOrAdmin = async (subject: Subject) => subject.isRoot || (await subject.isAdmin());
/** Nobody but root. */
export const rootOnly = (subject: Subject) => subject.isRoot;

/** Whether a test holds for all of some scopes; each is asked about once. */
export async function everyScope(
  scopes: readonly string[],
  test: (scope: string) => Promise<boolean>,
): Promise<boolean> {
  const verdicts = await Promise.all([...new Set(scopes)].map(test));
  return verdicts.every(Boolean);
}
