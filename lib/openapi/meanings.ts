import { BadReplicaState, LockState, ReplicaState, RequestState, RuleState } from '../contract/schemas/states.ts';

type Meanings = Readonly<Record<string, string>>;

const replica = {
  AVAILABLE: 'The file is there and can be read.',
  UNAVAILABLE: 'The file is not there: it is being uploaded, or a copy of it failed.',
  COPYING: 'A rule has asked for the copy, which is not there yet.',
  BEING_DELETED: 'Somebody has marked it and is deleting it from the storage.',
  BAD: 'It was declared damaged or lost, and is not read any more.',
  SOURCE: 'Accepted only when a replica is registered.',
  TEMPORARY_UNAVAILABLE: 'It cannot be read for a time, until it is declared available again or that time has passed.',
} satisfies Record<keyof typeof ReplicaState, string>;

const lock = {
  OK: 'The replica that the rule needs is there.',
  REPLICATING: 'The copy is under way.',
  STUCK: 'The copy failed too often, or there was nothing to copy from.',
} satisfies Record<keyof typeof LockState, string>;

const rule = {
  OK: 'All copies are there.',
  REPLICATING: 'Copies are under way.',
  STUCK: 'Copies failed, or RSEs, sources or quota are missing. It is repaired by itself once the cause is gone.',
  SUSPENDED: 'It is set aside and not repaired.',
  WAITING_APPROVAL: 'It does nothing until somebody approves it.',
  INJECT: 'Its locks are still being made.',
} satisfies Record<keyof typeof RuleState, string>;

const badReplica = {
  BAD: 'Declared damaged or lost.',
  SUSPICIOUS: 'Errors were reported when it was read.',
  TEMPORARY_UNAVAILABLE: 'Cannot be read until a time.',
  DELETED: 'Was deleted from the storage.',
  LOST: 'There was no other replica: the file is lost.',
  RECOVERED: 'It was copied again from another replica.',
} satisfies Record<keyof typeof BadReplicaState, string>;

const request = {
  QUEUED: 'It waits for a mover, or for the end of a pause after a failure.',
  SUBMITTING: 'A mover has leased it.',
  SUBMITTED: 'A mover has given it to a transfer tool.',
  FAILED: 'An attempt has failed (in the history).',
  DONE: 'The copy has arrived (in the history).',
  LOST: 'Rucio only.',
  NO_SOURCES: 'No RSE that can be read has the file.',
  ONLY_TAPE_SOURCES: 'A mover found the file on tape only.',
  SUBMISSION_FAILED: 'Rucio only.',
  MISMATCH_SCHEME: 'A mover found no protocol that both ends have.',
  SUSPEND: 'Rucio only.',
  WAITING: 'A transfer limit has no room for it.',
  PREPARING: 'Rucio only.',
} satisfies Record<keyof typeof RequestState, string>;

const didType = {
  FILE: 'Data: has a size, checksums and replicas.',
  DATASET: 'Holds files.',
  CONTAINER: 'Holds datasets and containers.',
};

const grouping = {
  ALL: 'All files go to the same RSEs.',
  DATASET: 'The files of a dataset go to the same RSEs.',
  NONE: 'RSEs are chosen for each file.',
};

const subscription = {
  ACTIVE: 'New data is compared with it.',
  INACTIVE: 'Its lifetime is over, or it was switched off.',
  NEW: 'It was created, and present data is still being compared with it.',
  UPDATED: 'It was changed; new data is compared with it.',
  BROKEN: 'It was declared broken; nothing is compared with it.',
};

/** The kinds of states. A value of several kinds, such as `OK`, has the meaning of the kind that fits all values. */
const kinds: readonly Meanings[] = [
  ...[
    [lock, LockState],
    [rule, RuleState],
    [replica, ReplicaState],
    [badReplica, BadReplicaState],
    [request, RequestState],
  ].map(([meanings = {}, letters = {}]) => withLetters(meanings, letters)),
  withLetters(didType, { FILE: 'F', DATASET: 'D', CONTAINER: 'C' }),
  withLetters(grouping, { ALL: 'A', DATASET: 'D', NONE: 'N' }),
  subscription,
];

/** Bodies may name a state by its letter as well. */
function withLetters(meanings: Meanings, letters: Meanings): Meanings {
  const byLetter = Object.entries(letters).map(([name, letter]) => [letter, `${name}: ${meanings[name] ?? ''}`]);
  return { ...meanings, ...Object.fromEntries(byLetter) };
}

/** Meaning of the values of an enumeration; undefined if they are no states. */
export function meaningsOf(values: readonly unknown[]): Meanings | undefined {
  const texts = values.filter((value) => typeof value === 'string');
  if (texts.length < 2) return undefined;
  const kind = kinds.find((meanings) => texts.every((value) => Object.hasOwn(meanings, value)));
  return kind === undefined ? undefined : Object.fromEntries(texts.map((value) => [value, kind[value] ?? '']));
}
