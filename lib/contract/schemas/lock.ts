import * as z from 'zod/mini';

import { toText } from '../../json.ts';
import { date, integer } from './common.ts';
import { listNames, LockState } from './states.ts';

const state = z.enum(listNames(LockState));

/** The lock of a rule on a replica of a file (spec/replication.md 2.10). */
export const replicaLock = z.object({
  scope: z.string(),
  name: z.string(),
  rse_id: z.string(),
  rse: z.string(),
  state,
  rule_id: z.string(),
});
export type ReplicaLockLine = z.input<typeof replicaLock>;

/** The lock of a rule on a dataset (spec/replication.md 4). */
export const datasetLock = z.object({
  rse_id: z.string(),
  rse: z.string(),
  scope: z.string(),
  name: z.string(),
  rule_id: z.string(),
  account: z.string(),
  state,
  length: z.nullable(integer).check(z.meta({ description: 'Null while the dataset is open' })),
  bytes: z.nullable(integer).check(z.meta({ description: 'Null while the dataset is open' })),
  accessed_at: z.nullable(date),
});
export type DatasetLockLine = z.input<typeof datasetLock>;

/** Locks can be listed for datasets only. */
export const lockQuery = z.object({
  did_type: z
    .prefault(
      z.string().check(
        z.refine((type) => type === 'dataset', {
          error: 'Wrong did_type specified',
          params: { exception: 'ValueError' },
        }),
      ),
      '',
    )
    .check(z.meta({ description: '`dataset`' })),
});

const collectionType = z
  .nullish(
    z.string().check(
      z.refine((type) => type === 'dataset' || type === 'container', {
        error: ({ input }) => `Unknown DID type ${toText(input)}`,
        params: { exception: 'ValueError' },
      }),
    ),
  )
  .check(z.meta({ description: '`dataset` or `container`; absent: read from the catalogue' }));

/** Body that asks for the locks on many collections. */
export const lockedDids = z.object({
  dids: z
    .array(z.looseObject({ scope: z.string(), name: z.string(), type: collectionType }))
    .check(z.meta({ description: 'A container stands for the datasets below it' })),
});
export type LockedDid = z.output<typeof lockedDids>['dids'][number];
