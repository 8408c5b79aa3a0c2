import type { Right } from '../../policy/rights.ts';
import { holdsForEveryScope, type Subject } from './subject.ts';

/** Replicas to register on an RSE. */
export interface NewReplicas {
  readonly rseName: string;
  readonly files: () => Promise<readonly ClaimedFile[]>;
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

/** Why an account may not register replicas: the first scope that is not its own, or else the missing quota. */
export async function explainAddingReplicas(
  subject: Subject,
  { rseName, files }: NewReplicas,
  right: Right,
): Promise<string> {
  const all = await files();
  const judged = isOpen(right, rseName) ? all.filter(isKnown) : all;
  for (const scope of new Set(judged.map((file) => file.scope))) {
    if (!(await subject.owns(scope))) return `Scope ${scope} is not its own.`;
  }
  return `It has no quota on ${rseName}.`;
}

/** Whether a right lets everybody register replicas of new files on an RSE, for its name. */
function isOpen(right: Right, rseName: string): boolean {
  if (typeof right === 'string') return false;
  if ('rse' in right) return new RegExp(right.rse).test(rseName);
  if ('any' in right) return right.any.some((part) => isOpen(part, rseName));
  return 'all' in right && right.all.some((part) => isOpen(part, rseName));
}

/** Whether a file exists. */
export const isKnown = ({ account }: ClaimedFile) => account !== undefined;

/**
 * Whether an account answers for files: it owns their scopes, or has registered them. The account of a rule on a file does not,
 * though the replica was made for it.
 */
export function answersForEvery(subject: Subject, files: readonly ClaimedFile[]): Promise<boolean> {
  const foreign = files.filter(({ account }) => account !== subject.account);
  return holdsForEveryScope(
    foreign.map(({ scope }) => scope),
    (scope) => subject.owns(scope),
  );
}
