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
