/** The callers of each route. */
export const callerNames = [
  'root',
  'admin',
  'owner',
  'country',
  'other',
  'anonymous',
  'suspended',
  'expired',
  'tampered',
] as const;
export type CallerName = (typeof callerNames)[number];
