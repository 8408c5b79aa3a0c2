import * as z from 'zod/mini';

import { actionNames } from '../../policy/rights.ts';

/** The things that the caller wants to act on. */
export const rightsQuery = z.object({
  scope: z.optional(z.string()).check(z.meta({ description: 'Scope of the DIDs; absent: one of another account' })),
  account: z
    .optional(z.string())
    .check(z.meta({ description: 'The account that is changed, or that owns the rule; absent: the caller' })),
  rse: z.optional(z.string()).check(
    z.meta({
      description: 'The RSE that is changed, or that replicas are on; absent: one without attributes and limits',
    }),
  ),
});
export type RightsQuery = z.output<typeof rightsQuery>;

/** Whether the caller may do something, and who may. */
const ownRight = z.object({
  may: z.boolean(),
  who: z.string().check(z.meta({ description: 'The right in words, with names between backticks' })),
});

/** The rights of the caller by action. */
export const ownRights = z.record(z.enum(actionNames), ownRight);
export type OwnRights = z.input<typeof ownRights>;
