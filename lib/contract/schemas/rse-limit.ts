import * as z from 'zod/mini';

import { bigInteger, integer } from './common.ts';
import { unwrapped } from './wrapped.ts';

const name = z.string().check(z.maxLength(255));

/** Body that sets a limit, in bytes (spec/rses.md 1.14). */
export const newRseLimit = unwrapped(z.object({ name, value: bigInteger }));
export type NewRseLimit = z.output<typeof newRseLimit>;

/** Body that deletes a limit (spec/rses.md 1.15). */
export const endedRseLimit = unwrapped(
  z.object({ name: z.nullable(z.string()).check(z.meta({ description: 'Null: all limits' })) }),
);

/** Limits in bytes by name. */
export const rseLimitValues = z.record(z.string(), integer);
export type RseLimits = z.input<typeof rseLimitValues>;

/** The name of a QoS policy, as the path holds it (spec/rses.md 1.21). */
export const qosPolicy = z.string().check(z.maxLength(64));

/** Names of QoS policies. */
export const qosPolicies = z.array(z.string());
