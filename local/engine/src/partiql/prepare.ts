import type { Test } from '../expressions/operators.ts';
import type { Update } from '../expressions/update.ts';
import type { AttributeValue } from '../values/attribute-value.ts';
import { bindWhere } from './bind-condition.ts';
import { bindUpdate } from './bind-update.ts';
import { Binding } from './bind.ts';
import { parseStatement } from './parse.ts';
import type {
  DeleteStatement,
  ExistsStatement,
  InsertStatement,
  OtherStatement,
  SelectStatement,
  UpdateStatement,
} from './syntax.ts';

/** A statement with its parameters, with all checks that do not need its table. */
export interface Prepared<S> {
  readonly statement: S;
  readonly binding: Binding;
  /** Undefined: every item. */
  readonly test: Test | undefined;
}

/** A SELECT. */
export type PreparedSelect = Prepared<SelectStatement> & { readonly type: 'select' };

/** A statement that writes an item, or checks one in a transaction of writes. */
export type PreparedWrite =
  | (Prepared<InsertStatement> & { readonly type: 'insert' })
  | (Prepared<UpdateStatement> & { readonly type: 'update'; readonly update: Update })
  | (Prepared<DeleteStatement> & { readonly type: 'delete' })
  | (Prepared<ExistsStatement> & { readonly type: 'exists' });

/** A statement that DynamoDB does not support. */
export interface PreparedOther {
  readonly type: 'other';
  readonly statement: OtherStatement;
}

/** The members of a request for one statement. */
export interface StatementInput {
  readonly Statement: string;
  readonly Parameters?: readonly AttributeValue[];
}

/**
 * Parses a statement and binds its parameters.
 *
 * @throws ValidationException if it is invalid for every table.
 */
export function prepare({ Statement, Parameters }: StatementInput): PreparedSelect | PreparedWrite | PreparedOther {
  const parsed = parseStatement(Statement);
  const { body } = parsed;
  if (body.type === 'other') return { type: body.type, statement: body };
  const binding = new Binding(parsed, Parameters);
  if (body.type === 'insert') return { type: body.type, statement: body, binding, test: undefined };
  const test = body.where === undefined ? undefined : bindWhere(body.where, binding);
  switch (body.type) {
    case 'update':
      return { type: body.type, statement: body, binding, test, update: bindUpdate(body.assignments, binding) };
    case 'select':
      return { type: body.type, statement: body, binding, test };
    case 'delete':
      return { type: body.type, statement: body, binding, test };
    default:
      return { type: body.type, statement: body, binding, test };
  }
}
