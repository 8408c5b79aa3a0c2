/** Delays until a DID with an expiry entry is checked again. */
export const recheckDelaysMs = {
  /** A bulk request on it is in progress, or one run cannot delete all of its content. */
  unfinished: 60_000,
  /** It was deleted. Longer than the longest request, which may have read it before. */
  deleted: 300_000,
  /** The run failed. */
  failed: 600_000,
  /** A locked rule protects it. */
  locked: 3_600_000,
};
