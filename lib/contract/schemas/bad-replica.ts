import * as z from 'zod/mini';

import { date, looseFlag, mapped } from './common.ts';
import { BadReplicaState, listNames } from './states.ts';

const reason = z.nullish(z.string().check(z.maxLength(255)));

const suspect = z.looseObject({
  scope: z.optional(z.string()),
  name: z.optional(z.string()),
  rse: z.optional(z.string()),
  rse_id: z.optional(z.string()),
});

/** Replicas by PFN, or by file and RSE. */
const suspects = z.array(z.union([z.string(), suspect])).check(z.maxLength(1000));
export type Suspect = z.output<typeof suspects>[number];

/** Body that declares replicas bad. */
export const badReplicaList = z.object({
  replicas: z._default(suspects, []),
  pfns: z._default(suspects, []).check(z.meta({ description: 'Same as `replicas`, if that is absent' })),
  reason,
  force: looseFlag('force'),
});

export type BadReplicas = z.output<typeof badReplicaList>;

/** Body that declares replicas suspicious. */
export const suspiciousReplicas = z.object({ pfns: z._default(suspects, []), reason });

const expiry = z.nullish(z.string()).check(z.meta({ description: '`YYYY-MM-DDThh:mm:ss.ffffff`' }));

/** Body that declares the replicas of files on one RSE bad. */
export const badDids = z.object({
  dids: z._default(z.array(z.looseObject({ scope: z.string(), name: z.string() })).check(z.maxLength(1000)), []),
  rse: z.string(),
  reason,
  expires_at: expiry,
});

export type BadDids = z.output<typeof badDids>;

/** Body that declares PFNs bad, suspicious or unavailable for a time. */
export const badPfns = z.object({
  pfns: z
    ._default(z.union([mapped(z.string(), (pfn) => [pfn]), z.array(z.string()).check(z.maxLength(1000))]), [])
    .check(z.meta({ description: 'One, or a list' })),
  reason,
  state: z.enum(['BAD', 'SUSPICIOUS', 'TEMPORARY_UNAVAILABLE']),
  expires_at: expiry,
});
export type BadPfns = z.output<typeof badPfns>;

/** The replicas that could not be declared, with the reason, by RSE name. */
export const notDeclared = z.record(z.string(), z.array(z.string()));

/** A replica that was declared suspicious. */
export const suspiciousReplica = z.object({
  scope: z.string(),
  name: z.string(),
  rse: z.string(),
  rse_id: z.string(),
  cnt: z.int(),
  created_at: date,
});

/** A line of the log, or the PFN of a declared replica. */
export const badStateLine = z.union([
  z.string(),
  z.object({
    scope: z.string(),
    name: z.string(),
    rse: z.string(),
    rse_id: z.string(),
    state: z.enum(listNames(BadReplicaState)),
    created_at: date,
    updated_at: date,
  }),
]);

/** A line of the summary of the log: the number of entries in each state, by day, RSE and reason. */
export const badSummaryLine = z.catchall(
  z.object({ rse: z.string(), rse_id: z.string(), created_at: date, reason: z.nullable(z.string()) }),
  z.union([z.int(), z.string(), z.null()]),
);

/** Body that quarantines files unknown to the catalogue. */
export const quarantine = z.object({
  replicas: z._default(
    z
      .array(
        z.looseObject({
          path: z.optional(z.string().check(z.minLength(1), z.maxLength(1024))),
          scope: z.nullish(z.string()),
          name: z.nullish(z.string()),
        }),
      )
      .check(z.maxLength(1000)),
    [],
  ),
  rse: z.nullish(z.string()),
  rse_id: z.nullish(z.string()),
});
export type Quarantine = z.output<typeof quarantine>;

/** Body that looks up files by PFN. */
export const pfnQuery = z.object({
  pfns: z._default(z.array(z.string()).check(z.maxLength(1000)), []),
  rse: z.string(),
});
