/** The message if none of a rule's RSEs, or a certain one, is writable. */
export const notWritable = 'RSE excluded; not available for writing.';

/** The message if a lock is stuck on an RSE that the expression of its rule does not name any more. */
export const notMatching = (rse: string) => `Found stuck locks on RSEs not matching target expression: ${rse}`;

/** The message if the item of a file has no room for another lock; `name` of the file. */
export const fileIsFull = (name: string) =>
  `The file ${name} holds too much metadata and too many locks for another lock.`;

/** The message if a replica that a rule needs is being deleted. */
export const beingDeleted = 'A replica is being deleted.';
