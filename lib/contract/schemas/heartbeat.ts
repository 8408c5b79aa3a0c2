import * as z from 'zod/mini';

import { date } from './common.ts';

/** A live thread of a daemon (spec/access.md 6.4). */
export const heartbeat = z.object({
  readable: z.string(),
  hostname: z.string(),
  pid: z.int(),
  thread_name: z.string(),
  updated_at: date,
  created_at: date,
  payload: z.nullable(z.string()),
});
export type Heartbeat = z.input<typeof heartbeat>;

/** Body of a heartbeat; `older_than` only serves Rucio's own daemons. */
export const newHeartbeat = z.object({
  executable: z.string().check(z.maxLength(4_000)),
  hostname: z.string().check(z.maxLength(128)),
  pid: z.int().check(z.minimum(-2_147_483_648), z.maximum(2_147_483_647)),
  older_than: z.optional(z.unknown()),
  payload: z.nullish(z.string().check(z.maxLength(3_000))),
});
export type NewHeartbeat = z.output<typeof newHeartbeat>;
