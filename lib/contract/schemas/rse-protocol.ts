import * as z from 'zod/mini';

import { mapped, withoutProto } from './common.ts';
import { unwrapped } from './wrapped.ts';

const priority = z.nullable(z.int());

/** Priorities of the operations within a site and across sites; 0 is the highest, null means unsupported. */
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
  extended_attributes: z.unknown().check(z.meta({ description: 'Any JSON' })),
});
export type ProtocolEntry = z.input<typeof protocolEntry>;

const maxInt32 = 2 ** 31 - 1;
const number = z.int().check(z.minimum(-maxInt32), z.maximum(maxInt32));

const portText = z.pipe(mapped(z.string().check(z.regex(/^[+-]?\d+$/)), Number), number);

/** A priority by its flat name, which may be negative (spec/rses.md 3.2). */
const flat = z.nullish(number);

/**
 * Body that creates or changes a protocol (spec/rses.md 3.2); unknown keys are ignored. The domain validates domains,
 * operations and priorities.
 */
export const protocolInput = unwrapped(
  z.object({
    scheme: z.nullish(z.string().check(z.maxLength(255))),
    hostname: z.nullish(z.string().check(z.maxLength(255))),
    port: z.nullish(z.union([number, portText])),
    prefix: z.nullish(z.string().check(z.maxLength(1024))),
    impl: z.nullish(z.string().check(z.maxLength(255))),
    domains: z.optional(withoutProto(z.record(z.string(), withoutProto(z.record(z.string(), z.unknown()))))),
    extended_attributes: z.optional(z.unknown()),
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
