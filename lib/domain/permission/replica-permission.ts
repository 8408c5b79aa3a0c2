import { holdsForEveryScope, isRootOrAdmin, type Subject } from './subject.ts';

/** Replicas to register on an RSE. */
export interface NewReplicas {
  readonly rseName: string;
  readonly files: readonly ClaimedFile[];
  /** Whether the issuer has a limit on the RSE; costs a read. */
  readonly hasLimit: () => Promise<boolean>;
}

/** Replicas on an RSE with new states. */
export interface ReplicaStates {
  readonly rseName: string;
  /** All new states are results of transfers. */
  readonly isOrdinary: boolean;
  readonly files: () => Promise<readonly ClaimedFile[]>;
}

/** A file of which somebody claims to have a replica, with the account that registered the file; undefined: it is new. */
export interface ClaimedFile {
  readonly scope: string;
  readonly account: string | undefined;
}

/** Everybody may register replicas of new files on RSEs with these names. */
const openRse = /(SCRATCHDISK|USERDISK|MOCK|LOCALGROUPDISK)$/;

/**
 * Permission to register replicas (spec/replication.md 6). A replica counts as a copy of its file: rules rely on it, and the reaper
 * deletes others. So those of a file that exists are registered by whoever answers for the file, and by movers.
 */
export const mayAddReplicas = async (subject: Subject, { rseName, files, hasLimit }: NewReplicas) => {
  if (await isRootOrAdmin(subject)) return true;
  const isMover = await subject.movesData();
  const judged = isMover ? files.filter(({ account }) => account === undefined) : files;
  if (openRse.test(rseName)) return answersForEvery(subject, judged.filter(isKnown));
  const scopes = judged.map(({ scope }) => scope);
  return (
    judged.length === 0 || ((await holdsForEveryScope(scopes, (scope) => subject.owns(scope))) && (await hasLimit()))
  );
};

/** Why an account may not register replicas: the first scope that is not its own, or else the missing quota. */
export async function explainAddingReplicas(subject: Subject, { rseName, files }: NewReplicas): Promise<string> {
  const judged = openRse.test(rseName) ? files.filter(isKnown) : files;
  for (const scope of new Set(judged.map((file) => file.scope))) {
    if (!(await subject.owns(scope))) return `Scope ${scope} is not its own.`;
  }
  return `It has no quota on ${rseName}.`;
}

/** Permission to change the states of replicas (spec/replication.md 6). */
export const mayUpdateReplicas = async (subject: Subject, { isOrdinary, files }: ReplicaStates) => {
  if (await isRootOrAdmin(subject)) return true;
  if (!isOrdinary) return false;
  return (await subject.movesData()) || answersForEvery(subject, await files());
};

const isKnown = ({ account }: ClaimedFile) => account !== undefined;

/**
 * Whether an account answers for files: it owns their scopes, or has registered them. The account of a rule on a file does not,
 * though the replica was made for it.
 */
function answersForEvery(subject: Subject, files: readonly ClaimedFile[]): Promise<boolean> {
  const foreign = files.filter(({ account }) => account !== subject.account);
  return holdsForEveryScope(
    foreign.map(({ scope }) => scope),
    (scope) => subject.owns(scope),
  );
}
