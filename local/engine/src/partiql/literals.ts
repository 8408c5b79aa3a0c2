import { EngineError } from '../errors.ts';
import { type AttributeValue, emptyItem } from '../values/attribute-value.ts';
import { normaliseNumber } from '../values/number.ts';
import type { Span } from './errors.ts';
import { kindOf } from './kinds.ts';
import type { Node } from './syntax.ts';

/** Collects the errors of a value. */
export interface Notes {
  note(message: string, place?: Span): void;
}

const maxDepth = 32;
/** Stands for an invalid value. */
const nothing: AttributeValue = { NULL: true };

/**
 * The value of a literal; records its errors.
 *
 * @param path Its position in an enclosing value, in the notation of messages.
 */
export function valueOf(node: Node, notes: Notes, path = 'root', level = 1): AttributeValue {
  if (level > maxDepth + 1) {
    notes.note(
      'Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit',
    );
    return nothing;
  }
  switch (node.type) {
    case 'literal':
      return node.value;
    case 'number':
      return numberOf(node.text, notes, path);
    case 'list':
      return { L: node.members.map((member, i) => valueOf(member, notes, `${path}[${i}]`, level + 1)) };
    case 'bag':
      return setOf(node.members, notes, path);
    case 'struct':
      return mapOf(node.members, notes, path, level);
    case 'ion':
      notes.note(`Ion Literals are not supported under key ${path}`, node);
      return nothing;
    default:
      notes.note(`Unsupported data type: ${wordOf(node, level)} under key ${path}`, node);
      return nothing;
  }
}

/** The term for a node that is not a literal: attributes by their text, members of values by their kind. */
function wordOf(node: Node, level: number): string {
  switch (node.type) {
    case 'missing':
      return 'MISSING';
    case 'parameter':
      return 'Parameter';
    case 'path':
      return level === 1 ? String(node.path[0]) : 'VariableReference';
    case 'call':
      return level === 1 ? node.name : 'NAry';
    case 'operator':
      return level === 1 ? node.operator : 'NAry';
    default:
      return node.type.toUpperCase();
  }
}

function numberOf(text: string, notes: Notes, path: string): AttributeValue {
  try {
    return { N: normaliseNumber(text) };
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    notes.note(`${error.message} under ${path}`);
    return nothing;
  }
}

function setOf(members: readonly Node[], notes: Notes, path: string): AttributeValue {
  if (members.length === 0) notes.note('Empty bags are not supported');
  const values: string[] = [];
  const types = new Set<string>();
  for (const member of members) {
    const value = member.type === 'number' || member.type === 'literal' ? valueOf(member, notes, path) : nothing;
    const [type, content] = 'S' in value ? ['SS', value.S] : 'N' in value ? ['NS', value.N] : ['', ''];
    types.add(type);
    values.push(content);
  }
  if (types.has('') || types.size > 1) {
    const wrong = types.has('') ? members.find(({ type }) => type !== 'number') : undefined;
    notes.note('Unsupported data type in Bag. DynamoDB only supports either numbers or strings in bags', wrong);
  }
  if (new Set(values).size < values.length) {
    notes.note(
      `One or more parameter values were invalid: Input collection [${values.join(', ')}] contains duplicates.`,
    );
  }
  return types.has('NS') ? { NS: values } : { SS: values };
}

function mapOf(members: readonly (readonly [Node, Node])[], notes: Notes, path: string, level: number): AttributeValue {
  const map = emptyItem();
  for (const [key, value] of members) {
    if (key.type !== 'literal' || !('S' in key.value)) {
      notes.note(`Tuple keys must be of type String. Actual type: ${kindOf(key)} under ${path}`, key);
      continue;
    }
    const name = key.value.S;
    if (Object.hasOwn(map, name)) notes.note(`Duplicate keys in tuple. Key: ${name} under ${path}`, value);
    map[name] = valueOf(value, notes, `${path}.${name}`, level + 1);
  }
  return { M: map };
}
