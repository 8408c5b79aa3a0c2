import { everyScope, rootOrAdmin, type Subject } from './subject.ts';

/** Replicas that are registered on an RSE. */
export interface NewReplicas {
  readonly rseName: string;
  readonly scopes: readonly string[];
  /** Whether the issuer may use any of the RSE; costs a read. */
  readonly hasLimit: () => Promise<boolean>;
}

/** Replicas on an RSE whose states are changed. */
export interface ReplicaStates {
  readonly rseName: string;
  /** The states are those that a transfer brings about. */
  readonly isOrdinary: boolean;
  readonly files: () => Promise<readonly RegisteredFile[]>;
}

/** A file with the account that registered its replica; undefined where there is none. */
interface RegisteredFile {
  readonly scope: string;
  readonly registrar: string | undefined;
}

/** RSEs of these names take replicas from everybody. */
const commonRse = /(SCRATCHDISK|USERDISK|MOCK|LOCALGROUPDISK)$/;

/** Who may register replicas (spec/replication.md 6). */
export const mayAddReplicas = async (subject: Subject, { rseName, scopes, hasLimit }: NewReplicas) =>
  commonRse.test(rseName) ||
  (await rootOrAdmin(subject)) ||
  ((await everyScope(scopes, (scope) => subject.owns(scope))) && (await hasLimit()));

/** Who may change the states of replicas (spec/replication.md 6). */
export const mayUpdateReplicas = async (subject: Subject, { isOrdinary, files }: ReplicaStates) => {
  if (await rootOrAdmin(subject)) return true;
  if (!isOrdinary) return false;
  const strangers = (await files()).filter(({ registrar }) => registrar !== subject.account);
  return everyScope(
    strangers.map(({ scope }) => scope),
    (scope) => subject.owns(scope),
  );
};
