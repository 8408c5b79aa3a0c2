import * as z from 'zod/mini';

import { meaningsOf } from './meanings.ts';

interface Rendered {
  readonly zodSchema: z.core.$ZodTypes;
  readonly jsonSchema: z.core.JSONSchema.BaseSchema;
}

/**
 * Completes and simplifies the JSON schema that Zod generates. JSON has one kind of integer, the bounds of a double say
 * nothing to a reader, and a preprocessing step accepts what its schema accepts. States are explained in the extension
 * `x-enumDescriptions`, which other tools know, too.
 */
export function simplify({ zodSchema, jsonSchema }: Rendered): void {
  const { def } = zodSchema._zod;
  if (def.type === 'bigint') jsonSchema.type = 'integer';
  if (def.type === 'pipe' && Object.keys(jsonSchema).length === 0) Object.assign(jsonSchema, inputOf(def.out));
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  const meanings = meaningsOf(jsonSchema.enum ?? []);
  if (meanings !== undefined) Object.assign(jsonSchema, { 'x-enumDescriptions': meanings });
  const [first, ...others] = jsonSchema.anyOf ?? [];
  if (first?.type === 'integer' && others.length > 0 && others.every(({ type }) => type === 'integer')) {
    delete jsonSchema.anyOf;
    Object.assign(jsonSchema, first, { format: 'int64' });
  }
}

/** The input of a schema as a JSON schema; any value if JSON schema cannot express it. */
export function inputOf(schema: z.core.$ZodType): z.core.JSONSchema.BaseSchema {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override: simplify,
  });
  return rest;
}
