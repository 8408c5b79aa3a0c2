/*
 * The words in which the inputs of operations are declared. They follow DynamoDB's model of its API: types, and the
 * constraints that DynamoDB names in its errors. A declaration is data; `reading.ts` and `constraints.ts` compile it.
 */

/** Bounds of a length or a value, both included. */
interface Bounds {
  readonly least?: number;
  readonly most?: number;
}

interface Member {
  /** Whether a request without it is refused. */
  readonly required?: boolean;
  /**
   * Gives the message with which DynamoDB answers when this is all that is wrong with a request, by the path and the
   * value; undefined where it has no message of its own.
   */
  readonly alone?: (path: string, value: unknown) => string | undefined;
}

/** A text, perhaps one of a few, or of one pattern. */
export interface TextShape extends Member, Bounds {
  readonly kind: 'text';
  readonly pattern?: RegExp;
  readonly oneOf?: readonly string[];
}

/** A boolean. */
export interface FlagShape extends Member {
  readonly kind: 'flag';
}

/** An integer, by its type in DynamoDB's model. */
export interface NumberShape extends Member, Bounds {
  readonly kind: 'number';
  readonly type: 'Integer' | 'Long';
}

/** A value of an attribute. */
export interface ValueShape extends Member {
  readonly kind: 'value';
}

/** A list of members of one shape. */
export interface ListShape extends Member, Bounds {
  readonly kind: 'list';
  readonly member: Shape;
}

/** A map with free keys and members of one shape. */
export interface MapShape extends Member, Bounds {
  readonly kind: 'map';
  readonly member: Shape;
  /** The constraint of the keys, which DynamoDB reports at the map. */
  readonly keys?: TextShape;
  /** Whether DynamoDB reports the lengths of the members at the map. */
  readonly membersAtMap?: boolean;
}

/** A structure with named members, in the order in which DynamoDB reports their errors. */
export interface StructureShape extends Member {
  readonly kind: 'structure';
  readonly name: string;
  readonly members: Readonly<Record<string, Shape>>;
}

/** The shape of an input, or of a part of it. */
export type Shape = TextShape | FlagShape | NumberShape | ValueShape | ListShape | MapShape | StructureShape;

type Options<S extends Shape> = Omit<S, 'kind'>;

/** Declares a text. */
export const text = (options: Options<TextShape> = {}): TextShape => ({ kind: 'text', ...options });

/** Declares a text that is one of a few, in the order in which DynamoDB lists them. */
export const oneOf = (...names: readonly string[]): TextShape => ({ kind: 'text', oneOf: names });

/** Declares a boolean. */
export const flag: FlagShape = { kind: 'flag' };

/** Declares an integer of 32 bits. */
export const integer = (options: Omit<Options<NumberShape>, 'type'> = {}): NumberShape => ({
  kind: 'number',
  type: 'Integer',
  ...options,
});

/** Declares an integer of 64 bits. */
export const long = (options: Omit<Options<NumberShape>, 'type'> = {}): NumberShape => ({
  kind: 'number',
  type: 'Long',
  ...options,
});

/** Declares a value of an attribute. */
export const value: ValueShape = { kind: 'value' };

/** Declares a list. */
export const list = (member: Shape, options: Omit<Options<ListShape>, 'member'> = {}): ListShape => ({
  kind: 'list',
  member,
  ...options,
});

/** Declares a map. */
export const map = (member: Shape, options: Omit<Options<MapShape>, 'member'> = {}): MapShape => ({
  kind: 'map',
  member,
  ...options,
});

/** Declares a structure by its name in DynamoDB's model. */
export const structure = (name: string, members: Readonly<Record<string, Shape>>): StructureShape => ({
  kind: 'structure',
  name,
  members,
});

/** Declares that a request without this is refused. */
export const required = <S extends Shape>(shape: S): S => ({ ...shape, required: true });
