import type { Path } from '../expressions/path.ts';
import type { AttributeValue } from '../values/attribute-value.ts';
import type { Span } from './errors.ts';

/** A part of a statement: a value or a condition. */
export type Node = Span &
  (
    | { readonly type: 'literal'; readonly value: AttributeValue }
    | { readonly type: 'number'; readonly text: string }
    | { readonly type: 'missing' }
    | { readonly type: 'parameter'; readonly index: number }
    | { readonly type: 'path'; readonly path: Path }
    | { readonly type: 'list' | 'bag'; readonly members: readonly Node[] }
    | { readonly type: 'struct'; readonly members: readonly (readonly [key: Node, value: Node])[] }
    | CallNode
    | OperatorNode
    | { readonly type: 'is'; readonly operand: Node; readonly typeName: string }
    | { readonly type: 'select'; readonly select: SelectStatement }
    | { readonly type: 'star' }
    | { readonly type: 'ion' }
  );

/** A function with its operands; the name is in lower case. */
export interface CallNode extends Span {
  readonly type: 'call';
  readonly name: string;
  readonly operands: readonly Node[];
}

/** An operator with its operands. */
export interface OperatorNode extends Span {
  readonly type: 'operator';
  readonly operator: Operator;
  readonly operands: readonly Node[];
}

/** An operator, in the notation of messages. */
export type Operator =
  | 'or'
  | 'and'
  | 'not'
  | '='
  | '<>'
  | '<'
  | '<='
  | '>'
  | '>='
  | 'between'
  | 'in'
  | 'like'
  | '||'
  | '+'
  | '-'
  | '*'
  | '/'
  | '%';

/** The table of a statement, or an index of it. */
export interface Source {
  readonly table: string;
  readonly index?: string;
}

/** The order of a SELECT's rows. */
export interface OrderTerm {
  readonly name: string;
  readonly isDescending: boolean;
}

/** A SELECT. */
export interface SelectStatement {
  readonly type: 'select';
  readonly source: Source;
  /** Undefined: all attributes. */
  readonly paths: readonly Path[] | undefined;
  readonly where: Node | undefined;
  readonly order: readonly OrderTerm[];
}

/** The new value of an attribute: a literal, or the parameter of that number. */
export type InsertedValue = AttributeValue | number;

/** An INSERT of one item. */
export interface InsertStatement {
  readonly type: 'insert';
  readonly source: Source;
  readonly members: readonly (readonly [name: string, value: InsertedValue])[];
}

/** A change of an attribute: an assignment by SET, or a removal by REMOVE. */
export interface Assignment {
  readonly path: Path;
  readonly value: Node | undefined;
}

/** The form of the RETURNING clause of a write. */
export type Returning = 'ALL OLD' | 'MODIFIED OLD' | 'ALL NEW' | 'MODIFIED NEW';

/** An UPDATE of one item. */
export interface UpdateStatement {
  readonly type: 'update';
  readonly source: Source;
  readonly assignments: readonly Assignment[];
  readonly where: Node | undefined;
  readonly returning: Returning | undefined;
}

/** A DELETE of one item. */
export interface DeleteStatement {
  readonly type: 'delete';
  readonly source: Source;
  readonly where: Node | undefined;
  readonly returning: Returning | undefined;
}

/** A condition of a transaction: a SELECT must find its item. */
export interface ExistsStatement {
  readonly type: 'exists';
  readonly source: Source;
  readonly where: Node | undefined;
}

/** A statement that DynamoDB does not support; AWS names its kind. */
export interface OtherStatement {
  readonly type: 'other';
  /** Undefined for operators and functions, which have no name. */
  readonly kind: string | undefined;
}

/** A parsed statement. */
export interface Statement {
  readonly text: string;
  readonly body:
    | SelectStatement
    | InsertStatement
    | UpdateStatement
    | DeleteStatement
    | ExistsStatement
    | OtherStatement;
  /** The number of its parameters. */
  readonly parameters: number;
}
