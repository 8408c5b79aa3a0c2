import * as z from 'zod';

import { unwrapped } from './wrapped.ts';

const priority = z.int().nullable();

/** Priorities of the operations within a site and across sites; 0 is the best, null is not supported. */
const domains = z.object({
  lan: z.object({ read: priority, write: priority, delete: priority }),
  wan: z.object({
    read: priority,
    write: priority,
    delete: priority,
    third_party_copy_read: priority,
    third_party_copy_write: priority,
  }),
});

/** A protocol of an RSE (spec/rses.md 3.1). */
export const protocolEntry = z.object({
  scheme: z.string(),
  hostname: z.string(),
  port: z.int(),
  prefix: z.string(),
  impl: z.string(),
  domains,
  extended_attributes: z.unknown().meta({ description: 'Any JSON' }),
});
export type ProtocolEntry = z.input<typeof protocolEntry>;

const biggest = 2 ** 31 - 1;
const number = z.int().min(-biggest).max(biggest);

const portText = z
  .string()
  .regex(/^[+-]?\d+$/)
  .transform(Number)
  .pipe(number);

/** A priority by its flat name, which is not checked to be positive (spec/rses.md 3.2). */
const flat = number.nullish();

/**
 * Body that makes or changes a protocol (spec/rses.md 3.2); unknown keys are ignored. What domains, operations and
 * priorities there are is for the domain to say.
 */
export const protocolInput = unwrapped(
  z.object({
    scheme: z.string().max(255).nullish(),
    hostname: z.string().max(255).nullish(),
    port: z.union([number, portText]).nullish(),
    prefix: z.string().max(1024).nullish(),
    impl: z.string().max(255).nullish(),
    domains: z.record(z.string(), z.record(z.string(), z.unknown())).optional(),
    extended_attributes: z.unknown().optional(),
    read_lan: flat,
    write_lan: flat,
    delete_lan: flat,
    read_wan: flat,
    write_wan: flat,
    delete_wan: flat,
    third_party_copy_read: flat,
    third_party_copy_write: flat,
  }),
);
export type ProtocolInput = z.output<typeof protocolInput>;
