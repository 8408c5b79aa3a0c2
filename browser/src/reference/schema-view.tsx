import type { Schema } from './document.ts';
import { Prose } from './prose.tsx';

/** Requests mark required members, answers mark those that may be absent. */
export type Direction = 'request' | 'answer';

/** A schema: the type of the value, and below it its members, level by level. */
export function SchemaView({ of: schema, direction }: { of: Schema; direction: Direction }) {
  return (
    <div class="schema">
      <SchemaRow of={schema} />
      <Members of={schema} direction={direction} />
    </div>
  );
}

/** One value: its name, type and bounds, what it is, and what its states mean. */
export function SchemaRow({ of: schema, name, presence }: { of: Schema; name?: string; presence?: string }) {
  const meanings = meaningsOf(schema);
  return (
    <div class="schema-row">
      {name !== undefined && <strong class="name">{name}</strong>} <span class="name soft">{describeType(schema)}</span>
      {presence !== undefined && <em> {presence}</em>}
      {boundsOf(schema).map((bound) => (
        <small key={bound}> {bound}</small>
      ))}
      {schema.description !== undefined && (
        <p class="hint">
          <Prose text={schema.description} />
        </p>
      )}
      {meanings !== undefined && (
        <details class="meanings">
          <summary>What the {name !== undefined && /state/i.test(name) ? 'states' : 'values'} mean</summary>
          <dl>
            {Object.entries(meanings).map(([value, meaning]) => (
              <div key={value}>
                <dt class="name">{value}</dt>
                <dd>{meaning}</dd>
              </div>
            ))}
          </dl>
        </details>
      )}
    </div>
  );
}

/** The meanings of an enumeration, also if the value may be null instead. */
function meaningsOf(schema: Schema): Readonly<Record<string, string>> | undefined {
  return (
    schema['x-enumDescriptions'] ?? (schema.anyOf ?? []).map((branch) => branch['x-enumDescriptions']).find(Boolean)
  );
}

function Members({ of: schema, direction }: { of: Schema; direction: Direction }) {
  const branches = [...(schema.anyOf ?? []), ...(schema.allOf ?? [])].filter(hasDetails);
  if (branches.length > 1) {
    return (
      <>
        {branches.map((branch, i) => (
          <div key={i} class="schema-or">
            <SchemaRow of={branch} />
            <Members of={branch} direction={direction} />
          </div>
        ))}
      </>
    );
  }
  const [branch] = branches;
  if (branch !== undefined) return <Members of={branch} direction={direction} />;
  if (schema.items !== undefined) return <Members of={schema.items} direction={direction} />;
  const properties = Object.entries(schema.properties ?? {});
  const rest = schema.additionalProperties;
  if (properties.length === 0 && typeof rest !== 'object') return null;
  return (
    <ul>
      {properties.map(([name, property]) => {
        const presence = describePresence(schema.required?.includes(name) === true, direction);
        return (
          <li key={name}>
            <SchemaRow of={property} name={name} {...(presence === undefined ? {} : { presence })} />
            <Members of={property} direction={direction} />
          </li>
        );
      })}
      {typeof rest === 'object' && (
        <li>
          <SchemaRow of={rest} name="any other key" />
        </li>
      )}
    </ul>
  );
}

/** The word for a required or an optional member; undefined for the usual case. */
export function describePresence(isRequired: boolean, direction: Direction): string | undefined {
  if (direction === 'request') return isRequired ? 'required' : undefined;
  return isRequired ? undefined : 'may be absent';
}

/** The type of a value in a few words. */
function describeType(schema: Schema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (schema.anyOf !== undefined) return [...new Set(schema.anyOf.map(describeType))].join(' | ');
  if (typeof schema.type === 'object') return schema.type.join(' | ');
  if (schema.type === 'array') return `array of ${schema.items === undefined ? 'any' : describeType(schema.items)}`;
  return schema.type ?? (schema.properties === undefined ? 'any' : 'object');
}

function hasDetails({ properties, items, anyOf, additionalProperties }: Schema): boolean {
  return (
    properties !== undefined ||
    typeof additionalProperties === 'object' ||
    (items !== undefined && hasDetails(items)) ||
    (anyOf ?? []).some(hasDetails)
  );
}

const bounds = [
  ['at least', 'minimum'],
  ['at most', 'maximum'],
  ['more than', 'exclusiveMinimum'],
  ['less than', 'exclusiveMaximum'],
  ['min. length', 'minLength'],
  ['max. length', 'maxLength'],
  ['min. elements', 'minItems'],
  ['max. elements', 'maxItems'],
  ['matches', 'pattern'],
] as const;

function boundsOf(schema: Schema): string[] {
  const own = bounds.flatMap(([word, key]) => (schema[key] === undefined ? [] : [`${word} ${schema[key]}`]));
  if (schema.default !== undefined) own.push(`default ${JSON.stringify(schema.default)}`);
  const [branch, ...others] = (schema.anyOf ?? []).filter(({ type }) => type !== 'null');
  return branch !== undefined && others.length === 0 ? [...own, ...boundsOf(branch)] : own;
}
