import * as z from 'zod/mini';

import { integer } from './common.ts';

/** The value of an option as it is answered: text that reads like a truth or a number is one (spec/access.md 4.2). */
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

/** The options of a section that are to be set; which values can be kept is the domain's to say. */
const newOptions = z
  .custom<Record<string, unknown>>((value) => typeof value === 'object' && value !== null && !Array.isArray(value), {
    // Rucio says no more.
    error: () => '',
    params: { exception: 'ValueError' },
  })
  .check(z.meta({ type: 'object', additionalProperties: { type: ['string', 'boolean', 'integer', 'number'] } }));

/** Body that sets options, by section and option. */
export const newConfiguration = z.record(z.string(), newOptions);
