import { holdsForEveryScope, isRootOrAdmin, type Subject } from './subject.ts';

/** Replicas to register on an RSE. */
export interface NewReplicas {
  readonly rseName: string;
  readonly scopes: readonly string[];
  /** Whether the issuer has a limit on the RSE; costs a read. */
  readonly hasLimit: () => Promise<boolean>;
}

/** Replicas on an RSE with new states. */
export interface ReplicaStates {
  readonly rseName: string;
  /** All new states are results of transfers. */
  readonly isOrdinary: boolean;
  readonly files: () => Promise<readonly RegisteredFile[]>;
}

/** A file with the account that registered its replica; undefined without a replica. */
interface RegisteredFile {
  readonly scope: string;
  readonly registrar: string | undefined;
}

/** Everybody may register replicas on RSEs with these names. */
const openRse = /(SCRATCHDISK|USERDISK|MOCK|LOCALGROUPDISK)$/;

/** Who may register replicas (spec/replication.md 6). */
export const mayAddReplicas = async (subject: Subject, { rseName, scopes, hasLimit }: NewReplicas) =>
  openRse.test(rseName) ||
  (await isRootOrAdmin(subject)) ||
  ((await holdsForEveryScope(scopes, (scope) => subject.owns(scope))) && (await hasLimit()));

/** Why an account may not register replicas: the first scope that is not its own, or else the missing quota. */
export async function explainAddingReplicas(subject: Subject, { rseName, scopes }: NewReplicas): Promise<string> {
  for (const scope of new Set(scopes)) {
    if (!(await subject.owns(scope))) return `Scope ${scope} is not its own.`;
  }
  return `It has no quota on ${rseName}.`;
}

/** Who may change the states of replicas (spec/replication.md 6). */
export const mayUpdateReplicas = async (subject: Subject, { isOrdinary, files }: ReplicaStates) => {
  if (await isRootOrAdmin(subject)) return true;
  if (!isOrdinary) return false;
  const foreign = (await files()).filter(({ registrar }) => registrar !== subject.account);
  return holdsForEveryScope(
    foreign.map(({ scope }) => scope),
    (scope) => subject.owns(scope),
  );
};
