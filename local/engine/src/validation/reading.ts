import { serializationError } from '../errors.ts';
import { isObject, messages, readFlag, readText, readValue, readValues } from './reading-values.ts';
import type { ListShape, MapShape, NumberShape, Shape, StructureShape } from './shapes/shape.ts';

/**
 * Reads a part of a request that is not null.
 *
 * @returns it without nulls and unknown members; attribute values unchanged.
 * @throws SerializationException for wrong JSON types.
 */
export type Reader = (raw: unknown) => unknown;

/** Whether a part is a member of a structure, or of a list or map; DynamoDB's messages differ. */
type Place = 'field' | 'member';

const model = 'com.amazonaws.dynamodb.v20120810';

/** DynamoDB's message for a scalar instead of a list or map that is itself in a list or map. */
const notAClass =
  'class sun.reflect.generics.reflectiveObjects.ParameterizedTypeImpl cannot be cast to class java.lang.Class ' +
  '(sun.reflect.generics.reflectiveObjects.ParameterizedTypeImpl and java.lang.Class are in module java.base of ' +
  "loader 'bootstrap')";

/** Compiles the reader of a shape. */
export function compileReader(shape: Shape, place: Place = 'field'): Reader {
  switch (shape.kind) {
    case 'text':
      return readText;
    case 'flag':
      return readFlag;
    case 'number':
      return compileNumber(shape);
    case 'value': {
      const scalar = place === 'field' ? messages.field : messages.member;
      return (raw) => readValue(raw, scalar, 1);
    }
    case 'list':
      return compileList(shape, place);
    case 'map':
      return compileMap(shape, place);
    default:
      return compileStructure(shape, place);
  }
}

function compileNumber({ type }: NumberShape): Reader {
  return (raw) => {
    switch (typeof raw) {
      case 'number':
        return Math.trunc(raw);
      case 'string':
        throw serializationError(`STRING_VALUE cannot be converted to ${type}`);
      case 'boolean':
        throw serializationError(`${raw ? 'TRUE' : 'FALSE'}_VALUE cannot be converted to ${type}`);
      default:
        throw serializationError(
          Array.isArray(raw) ? messages.collection(`class java.lang.${type}`) : messages.structure,
        );
    }
  };
}

function compileList({ member }: ListShape, place: Place): Reader {
  const read = compileReader(member, 'member');
  const scalar = place === 'field' ? messages.field : notAClass;
  return (raw) => {
    if (!Array.isArray(raw)) throw serializationError(isObject(raw) ? messages.structure : scalar);
    if (member.kind === 'value') {
      for (const one of raw as readonly unknown[]) if (one !== null) read(one);
      return raw;
    }
    return raw.map((one: unknown) => (one === null ? null : read(one)));
  };
}

function compileMap({ member }: MapShape, place: Place): Reader {
  const scalar = place === 'field' ? messages.field : notAClass;
  const collection = messages.collection(nameType({ kind: 'map', member }));
  if (member.kind === 'value') return (raw) => readValues(raw, scalar, 1);
  const read = compileReader(member, 'member');
  return (raw) => {
    if (!isObject(raw)) throw serializationError(Array.isArray(raw) ? collection : scalar);
    const entries = Object.create(null) as Record<string, unknown>;
    for (const key of Object.keys(raw)) entries[key] = raw[key] === null ? null : read(raw[key]);
    return entries;
  };
}

function compileStructure({ name, members }: StructureShape, place: Place): Reader {
  const readers = new Map(Object.entries(members).map(([member, shape]) => [member, compileReader(shape)]));
  const scalar = place === 'field' ? messages.field : messages.member;
  const collection = messages.collection(`class ${model}.${name}`);
  return (raw) => {
    if (!isObject(raw)) throw serializationError(Array.isArray(raw) ? collection : scalar);
    const read: Record<string, unknown> = {};
    for (const member of Object.keys(raw)) {
      const reader = readers.get(member);
      const value = raw[member];
      if (reader !== undefined && value !== null && value !== undefined) read[member] = reader(value);
    }
    return read;
  };
}

/** The Java type of a shape in DynamoDB's messages. */
function nameType(shape: Shape): string {
  switch (shape.kind) {
    case 'text':
      return 'java.lang.String';
    case 'list':
      return `java.util.List<${nameType(shape.member)}>`;
    case 'map':
      return `java.util.Map<java.lang.String, ${nameType(shape.member)}>`;
    case 'structure':
      return `${model}.${shape.name}`;
    default:
      return `${model}.AttributeValue`;
  }
}
