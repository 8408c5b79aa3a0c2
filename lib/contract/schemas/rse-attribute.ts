import * as z from 'zod/mini';

const maxCharacters = 255;

/** The key of an attribute, as the path holds it. */
export const attributeKey = z.string().check(z.maxLength(maxCharacters));

/**
 * Body that sets an attribute; the texts true and false, in any case, are booleans, numbers become texts (spec/rses.md
 * 2.3).
 */
export const rseAttribute = z.object({
  value: z
    .union([z.string(), z.number(), z.bigint(), z.boolean(), z.null()])
    .check(
      z.refine((value) => String(value).length <= maxCharacters, { error: `longer than ${maxCharacters} characters` }),
    ),
});
export type RseAttributeInput = z.output<typeof rseAttribute>['value'];

/** Attributes by key. */
export const rseAttributeValues = z.record(z.string(), z.union([z.string(), z.boolean(), z.null()]));
export type RseAttributes = z.input<typeof rseAttributeValues>;
