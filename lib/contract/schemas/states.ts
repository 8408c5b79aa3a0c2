/*
 * States by Rucio's names. The table and many bodies hold the letter, answers and events the name. Other code names the
 * state (`ReplicaState.AVAILABLE`) and never spells the letter. Without a schema, so that lib/store can read it as
 * well.
 */

/** State of a replica (spec/replication.md 1.9). */
export const ReplicaState = {
  AVAILABLE: 'A',
  UNAVAILABLE: 'U',
  COPYING: 'C',
  BEING_DELETED: 'B',
  BAD: 'D',
  /** Accepted only when a replica is registered. */
  SOURCE: 'S',
  TEMPORARY_UNAVAILABLE: 'T',
} as const;
export type ReplicaState = LetterOf<typeof ReplicaState>;

/** State of the lock of a rule on a replica. */
export const LockState = { OK: 'O', REPLICATING: 'R', STUCK: 'S' } as const;
export type LockState = LetterOf<typeof LockState>;
export type LockStateName = keyof typeof LockState;

/** State of a rule, in the order in which the rules of a subscription are counted. */
export const RuleState = {
  OK: 'O',
  REPLICATING: 'R',
  STUCK: 'S',
  SUSPENDED: 'U',
  WAITING_APPROVAL: 'W',
  INJECT: 'I',
} as const;
export type RuleStateName = keyof typeof RuleState;

/** State of an entry of the log of bad replicas (spec/replication.md 1.8). */
export const BadReplicaState = {
  BAD: 'B',
  SUSPICIOUS: 'S',
  TEMPORARY_UNAVAILABLE: 'T',
  DELETED: 'D',
  LOST: 'L',
  RECOVERED: 'R',
} as const;
export type BadReplicaState = LetterOf<typeof BadReplicaState>;

/** State of a transfer request (spec/access.md 6.6). */
export const RequestState = {
  QUEUED: 'Q',
  SUBMITTING: 'G',
  SUBMITTED: 'S',
  FAILED: 'F',
  DONE: 'D',
  LOST: 'L',
  NO_SOURCES: 'N',
  ONLY_TAPE_SOURCES: 'O',
  SUBMISSION_FAILED: 'A',
  MISMATCH_SCHEME: 'M',
  SUSPEND: 'U',
  WAITING: 'W',
  PREPARING: 'P',
} as const;

type LetterOf<States> = States[keyof States];

/** The name of each state by its letter. */
export const replicaStateNames = toNames(ReplicaState);
export const lockStateNames = toNames(LockState);
export const ruleStateNames = toNames(RuleState);
export const badReplicaStateNames = toNames(BadReplicaState);
export const requestStateNames = toNames(RequestState);

/** The names of the states, as a list. */
export function listNames<Name extends string>(states: Readonly<Record<Name, string>>): Name[] {
  return Object.keys(states) as Name[];
}

function toNames<Name extends string, Letter extends string>(
  states: Readonly<Record<Name, Letter>>,
): Readonly<Record<Letter, Name>> {
  const entries = Object.entries(states) as [Name, Letter][];
  return Object.fromEntries(entries.map(([name, letter]) => [letter, name])) as Record<Letter, Name>;
}

/** The states of an entry of open data, in Rucio's order. */
export const opendataStates = ['PUBLIC', 'DRAFT', 'SUSPENDED'] as const;
export type OpendataState = (typeof opendataStates)[number];
