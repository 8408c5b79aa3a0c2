/** The parts of a JSON schema that may hold fields. */
interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly $ref?: string;
}

/** The part of an OpenAPI document with the schemas of bodies. */
export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, ApiOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

interface ApiOperation {
  readonly operationId: string;
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}

/**
 * Names of fields that may name an object of another account: a scope (and so a DID), an account, an RSE, a rule, a subscription,
 * a path on an RSE.
 */
const naming =
  /(^|_)scope$|^account$|^accounts$|^rses?$|^rse_id$|rse_expression$|^exclude_expression$|rule_id$|^subscription_id$|^pfns?$|^path$|^identity$/;

/** All such fields in the bodies of all operations, as `operation field`. */
export function fieldsThatName({ paths, components }: ApiDocument): string[] {
  const found = Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .flatMap(({ operationId, requestBody }) =>
      Object.values(requestBody?.content ?? {}).flatMap(({ schema }) =>
        [...fieldsOf(schema, components.schemas)].map((field) => `${operationId} ${field}`),
      ),
    );
  return [...new Set(found)].toSorted();
}

function* fieldsOf(
  schema: Schema,
  known: Readonly<Record<string, Schema>>,
  path = '',
  seen = new Set<Schema>(),
): Generator<string> {
  if (seen.has(schema)) return;
  const inside = new Set([...seen, schema]);
  const { $ref, items, properties = {}, additionalProperties, anyOf = [], oneOf = [], allOf = [] } = schema;
  const referred = $ref === undefined ? undefined : known[$ref.split('/').at(-1) ?? ''];
  for (const part of [...anyOf, ...oneOf, ...allOf, ...(referred === undefined ? [] : [referred])]) {
    yield* fieldsOf(part, known, path, inside);
  }
  if (items !== undefined) yield* fieldsOf(items, known, `${path}[]`, inside);
  if (typeof additionalProperties === 'object') yield* fieldsOf(additionalProperties, known, `${path}.*`, inside);
  for (const [name, part] of Object.entries(properties)) {
    const field = path === '' ? name : `${path}.${name}`;
    if (naming.test(name)) yield field;
    yield* fieldsOf(part, known, field, inside);
  }
}
