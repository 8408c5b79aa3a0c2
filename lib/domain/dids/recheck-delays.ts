/** How long to wait before a DID is looked at again, in milliseconds. */
export const recheckDelaysMs = {
  /** A bulk request is under way on it, or its content is more than one run can clear away. */
  soon: 60_000,
  /** It was deleted: longer than any request takes that may have read it before. */
  afterDeletion: 300_000,
  /** Something went wrong. */
  afterFailure: 600_000,
  /** A locked rule keeps it. */
  whileLocked: 3_600_000,
};
