import type { oas31 } from 'zod-openapi';

import { html, type Html, prose } from './html.ts';

type Schema = oas31.SchemaObject;

/** The type of a value in a few words. */
export function describeType(schema: Schema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (schema.anyOf !== undefined)
    return [...new Set(schema.anyOf.map((branch) => describeType(branch as Schema)))].join(' | ');
  if (Array.isArray(schema.type)) return schema.type.join(' | ');
  if (schema.type === 'array')
    return `array of ${schema.items === undefined ? 'any' : describeType(schema.items as Schema)}`;
  return schema.type ?? 'any';
}

/** Requests mark required members, answers mark optional ones. */
type Direction = 'request' | 'answer';

/** A schema as a list: a row for the value, and below it its members, level by level. */
export function schemaTree(schema: Schema, direction: Direction): Html {
  return html`<div class="schema">${row({ schema })}${members(schema, direction)}</div>`;
}

interface Row {
  readonly schema: Schema;
  readonly name?: string;
  /** Says whether the member is required. */
  readonly presence?: string | undefined;
}

/** One value: name, type, bounds and description. */
export function row({ schema, name, presence }: Row): Html {
  const label = name === undefined ? undefined : html`<b>${name}</b> `;
  const mark = presence === undefined ? undefined : html` <em>${presence}</em>`;
  const bounds = boundsOf(schema).map((bound) => html` <small>${bound}</small>`);
  const description = schema.description === undefined ? undefined : html`<p>${prose(schema.description)}</p>`;
  return html`<div class="row">${label}<i>${describeType(schema)}</i>${mark}${bounds}${description}</div>`;
}

/** The members of all objects in a schema: its own, of its elements and of its alternatives. */
function members(schema: Schema, direction: Direction): Html | undefined {
  const branches = (schema.anyOf ?? []).map((branch) => branch as Schema).filter(hasDetails);
  if (branches.length > 1) {
    return html`${branches.map((branch) => html`<div class="or">${row({ schema: branch })}${members(branch, direction)}</div>`)}`;
  }
  const [branch] = branches;
  if (branch !== undefined) return members(branch, direction);
  if (schema.items !== undefined) return members(schema.items as Schema, direction);
  const properties = Object.entries(schema.properties ?? {}) as [string, Schema][];
  const rest = schema.additionalProperties;
  const rows = properties.map(([name, property]) => {
    const presence = describePresence(schema.required?.includes(name) === true, direction);
    return html`<li>${row({ schema: property, name, presence })}${members(property, direction)}</li>`;
  });
  if (typeof rest === 'object') rows.push(html`<li>${row({ schema: rest as Schema, name: 'any other key' })}</li>`);
  return rows.length === 0
    ? undefined
    : html`<ul>
        ${rows}
      </ul>`;
}

/** The word for a required or an optional member; empty for the usual case. */
export function describePresence(isRequired: boolean, direction: Direction): string | undefined {
  if (direction === 'request') return isRequired ? 'required' : undefined;
  return isRequired ? undefined : 'may be absent';
}

/** Whether the schema has details beyond its type. */
function hasDetails({ properties, items, anyOf, additionalProperties }: Schema): boolean {
  return (
    properties !== undefined ||
    typeof additionalProperties === 'object' ||
    (items !== undefined && hasDetails(items as Schema)) ||
    (anyOf ?? []).some((branch) => hasDetails(branch as Schema))
  );
}

function boundsOf(schema: Schema): string[] {
  const bounds: [string, unknown][] = [
    ['at least', schema.minimum],
    ['at most', schema.maximum],
    ['more than', schema.exclusiveMinimum],
    ['less than', schema.exclusiveMaximum],
    ['min. length', schema.minLength],
    ['max. length', schema.maxLength],
    ['min. elements', schema.minItems],
    ['max. elements', schema.maxItems],
    ['default', schema.default === undefined ? undefined : JSON.stringify(schema.default)],
    ['matches', schema.pattern],
  ];
  const own = bounds.filter(([, value]) => value !== undefined).map(([word, value]) => `${word} ${String(value)}`);
  const [branch, ...others] = (schema.anyOf ?? []).filter((other) => (other as Schema).type !== 'null');
  return branch !== undefined && others.length === 0 ? [...own, ...boundsOf(branch as Schema)] : own;
}
