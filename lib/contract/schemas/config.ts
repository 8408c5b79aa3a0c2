import * as z from 'zod/mini';

import { integer, withoutProto } from './common.ts';

/** The value of an option in an answer: text that looks like a boolean or a number becomes one (spec/access.md 4.2). */
const configValue = z.union([z.string(), z.boolean(), integer, z.number()]);
export type ConfigValue = z.input<typeof configValue>;

/** The options of a section. */
export const configSection = z.record(z.string(), configValue);
export type ConfigSection = z.input<typeof configSection>;

/** Every section with its options. */
export const configuration = z.record(z.string(), configSection);
export type Configuration = z.input<typeof configuration>;

/** The value of one option. */
export const configOption = configValue;

/** The options of a section to set; the domain decides which values are valid. */
const newOptions = z
  .custom<Record<string, unknown>>((value) => typeof value === 'object' && value !== null && !Array.isArray(value), {
    // Rucio's message ends here.
    error: () => '',
    params: { exception: 'ValueError' },
  })
  .check(z.meta({ type: 'object', additionalProperties: { type: ['string', 'boolean', 'integer', 'number'] } }));

/** Body that sets options, by section and option. */
export const newConfiguration = withoutProto(z.record(z.string(), newOptions));
