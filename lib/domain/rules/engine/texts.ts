/** What is said where an account has not enough quota (spec/replication.md 0.3). */
export const quotaText = "There is insufficient quota on any of the target RSE's to fulfill the operation.";

/** What is said where none, or a certain one, of a rule's RSEs can be written to. */
export const notWritable = 'RSE excluded; not available for writing.';

/** What is said where a file cannot be locked any more; `name` of the file. */
export const fileIsFull = (name: string) =>
  `The file ${name} holds too much metadata and too many locks for another lock.`;

/** What is said where a replica that a rule keeps is being deleted. */
export const beingDeleted = 'A replica is being deleted.';
