import { describe, expect, it } from 'vitest';

import { groups } from '../../lib/contract/index.ts';
import { toOpenapi } from '../../lib/openapi/document.ts';
import packageJson from '../../package.json' with { type: 'json' };

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: unknown;
  readonly const?: unknown;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
}

interface Operation {
  readonly operationId: string;
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}

interface OpenapiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/**
 * Why members of bodies need no maximum of their own. Every body has 10 MB, 250,000 values and 32 levels at most, and what it costs
 * to read one grows with its length alone. A query is as long as the gateway allows.
 */
const reasons: readonly (readonly [reason: string, members: RegExp])[] = [
  [
    'names something: what is longer than a key is refused or not found, before it is stored',
    /(^|\.)(scope|name|account|rse|rse_id|input_scope|input_name|identity|subscription_id|rule_id|child_rule_id|record_id|activity)$/,
  ],
  [
    'has few values, and any other is refused',
    /(^|\.)(type|account_type|authtype|status|statuses|state|key_type|value_type|plugin|domain|sort|copies|grouping|verify_checksum|lfn2pfn_algorithm|doi)$/,
  ],
  [
    'is a number or a date, and any other text is refused',
    /(^|\.)(nbfiles|nrandom|port|signature_lifetime|updated_after|expires_at|eol_at)$/,
  ],
  ['is cut to the length of the column', /(^|\.)(error_message|err_msg)$/],
  ['is hashed, and not stored', /(^|\.)password$/],
  [
    'is one of a list that the operation bounds, or refused as a path of that RSE',
    /(^|\.)(pfns?(\[\])?|replicas\[\])$/,
  ],
  ['belongs to a filter that has 4,000 characters as a whole', /^options\.filter\./],
  ['belongs to rules of a subscription, which are checked as rules are', /^options\.replication_rules\[\]\./],
  ['is metadata, whose room is bounded for the DID', /(^|\.)(meta|value)$/],
  ['is compared with few schemes', /(^|\.)schemes(\[\])?$/],
  ['is bounded by the operation, as the value of an attribute or an option', /(^|\.)\*$/],
];

const document = JSON.parse(JSON.stringify(toOpenapi(groups, packageJson.version))) as OpenapiDocument;

/** The strings of a body without a maximum, by the names of the members that lead there. */
function* unboundedTexts(schema: Schema, place: string, seen: readonly string[] = []): Generator<string> {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.split('/').at(-1) ?? '';
    const target = document.components.schemas[name];
    if (target !== undefined && !seen.includes(name)) yield* unboundedTexts(target, place, [...seen, name]);
    return;
  }
  const isText = [schema.type].flat().includes('string') && schema.enum === undefined && schema.const === undefined;
  if (isText && schema.maxLength === undefined) yield place;
  for (const each of [...(schema.anyOf ?? []), ...(schema.allOf ?? [])]) yield* unboundedTexts(each, place, seen);
  if (schema.items !== undefined) yield* unboundedTexts(schema.items, `${place}[]`, seen);
  for (const [name, each] of Object.entries(schema.properties ?? {}))
    yield* unboundedTexts(each, place === '' ? name : `${place}.${name}`, seen);
  if (typeof schema.additionalProperties === 'object')
    yield* unboundedTexts(schema.additionalProperties, `${place}.*`, seen);
}

const found = new Map<string, string>();
for (const item of Object.values(document.paths))
  for (const { operationId, requestBody } of Object.values(item))
    for (const { schema } of Object.values(requestBody?.content ?? {}))
      for (const place of unboundedTexts(schema, '')) found.set(place.replace(/^\[\]\.?/, ''), operationId);

describe('the texts of bodies', () => {
  it('have a maximum, or a reason to need none', () => {
    const unexplained = [...found].filter(([place]) => !reasons.some(([, members]) => members.test(place)));
    expect(unexplained).toEqual([]);
  });

  it.each(reasons)('%s', (_reason, members) => {
    expect([...found.keys()].some((place) => members.test(place))).toBe(true);
  });
});
