/**
 * The vocabulary in which the inputs of operations are declared. It follows DynamoDB's API model: types, and the
 * constraints that DynamoDB names in its errors. A declaration is data; `reading.ts` and `constraints.ts` compile it.
 */

/** Inclusive bounds of a length or a value. */
interface Bounds {
  readonly least?: number;
  readonly most?: number;
}

interface Member {
  /** Whether a request without it is refused. */
  readonly required?: boolean;
  /**
   * DynamoDB's message if this is the only violation of a request, by path and value; undefined if it does not differ.
   */
  readonly alone?: (path: string, value: unknown) => string | undefined;
}

/** A text, optionally an enumeration or with a pattern. */
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

/** An attribute value. */
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
  /** The constraint of the keys, which DynamoDB reports for the map. */
  readonly keys?: TextShape;
  /** Whether DynamoDB reports the lengths of the members for the map. */
  readonly membersAtMap?: boolean;
}

/** A structure with named members, in the order in which DynamoDB reports their errors. */
export interface StructureShape extends Member {
  readonly kind: 'structure';
  readonly name: string;
  readonly members: Readonly<Record<string, Shape>>;
}

/** The shape of an input or of a part of it. */
export type Shape = TextShape | FlagShape | NumberShape | ValueShape | ListShape | MapShape | StructureShape;

type Options<S extends Shape> = Omit<S, 'kind'>;

/** Declares a text. */
export const text = (options: Options<TextShape> = {}): TextShape => ({ kind: 'text', ...options });

/** Declares an enumeration of texts, in the order in which DynamoDB lists them. */
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

/** Declares an attribute value. */
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

/** Declares a required part. */
export const required = <S extends Shape>(shape: S): S => ({ ...shape, required: true });
