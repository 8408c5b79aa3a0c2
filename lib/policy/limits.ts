/**
 * Limits that no policy can exceed: the room of keys, URLs, PFNs and answers. Names within these limits are read, listed and deleted
 * whatever the policy says, so that a change of the policy leaves nothing out of reach.
 */
export const nameLimits = {
  scope: { pattern: /^[\w.-]+$/, longest: 100 },
  did: { pattern: /^[\w./+~=:#@,-]+$/, longest: 500 },
  account: { pattern: /^[\w-]+$/, longest: 25 },
  accountAttribute: { pattern: /^[\w\-\\/.:]+$/, longest: 255 },
  rse: { pattern: /^[\w-]+$/, longest: 255 },
} as const;

/** The kinds of names that a policy has a rule for. */
export type KindOfName = keyof typeof nameLimits;

/** The most elements of a list in a body. */
export const listLimit = 30_000;

/** The longest activity, and the characters of one: it is shown, and sent to FTS. */
export const activityPattern = /^[\w ()/.:+-]{1,50}$/;
