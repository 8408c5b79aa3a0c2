import { clock } from '../../clock.ts';
import { BatchExecuteStatementCommand, type BatchExecuteStatementCommandOutput } from '../items/commands.ts';
import { fitsExpression, setsValues } from '../items/expressions.ts';
import {
  countedWhenStaged,
  goneAttribute,
  type Item,
  type Patch,
  settingAttribute,
  stagedPrefix,
} from '../items/item.ts';
import { currentMeter } from '../items/meter.ts';
import type { Change } from '../items/plan.ts';
import type { Key } from '../keys/key-parts.ts';
import { insertText } from './insert-text.ts';
import type { Writer } from './writer.ts';

/*
 * Writes of single items as PartiQL statements, 25 per request. Each has its own condition and result, and costs the units
 * of a request of its own. PartiQL can express neither additions to an attribute that may be missing nor names that need
 * quotes; such writes are requests of their own.
 */

/** A PartiQL statement. */
export interface Statement {
  readonly Statement: string;
  readonly Parameters: unknown[];
}

/** The answer of the table to a statement. */
type StatementAnswer = NonNullable<BatchExecuteStatementCommandOutput['Responses']>[number];

/** Why the table has refused a statement. */
export type StatementError = NonNullable<StatementAnswer['Error']>;

/** The most statements in one request. */
export const statementsPerRequest = 25;

/** DynamoDB's limit for a statement. */
const maxStatementBytes = 8192;

/** Names that need no escapes between double quotes. */
const plainName = /^[\w.~:#-]+$/;

/**
 * The statement that inserts an item for a batch on condition that none exists. It names every attribute; undefined where it is
 * too long.
 */
export function insertStatement(tableName: string, item: Item, batch: string): Statement | undefined {
  const names: string[] = [];
  const values: unknown[] = [];
  for (const name in item) {
    const value = item[name];
    if (value === undefined) continue;
    names.push(name);
    values.push(value);
  }
  names.push('batch' satisfies keyof Item);
  values.push(batch);
  const text = insertText(tableName, names);
  return fits(text) ? { Statement: text, Parameters: values } : undefined;
}

const fits = (text: string) => Buffer.byteLength(text) <= maxStatementBytes;

/**
 * The statement for the request of `stageExpressions`; undefined where PartiQL cannot express it. Its condition is stricter:
 * it also fails if another batch has staged values on the item, and if a revision is missing that the change does not name.
 */
export function stageStatement(tableName: string, change: Change, batch: string): Statement | undefined {
  const { key, patch, when = {} } = change;
  const [attribute, value] = patch.delete === true ? [goneAttribute, batch] : [stagedPrefix + batch, patch];
  const update = new UpdateBuilder();
  update.set(attribute, value);
  for (const revision of countedWhenStaged) {
    if (patch.add?.[revision] === undefined) continue;
    if (Object.hasOwn(when, revision)) update.set(revision, Number(when[revision] ?? 0) + 1);
    else update.add(revision, 1);
  }
  update.require({ [goneAttribute]: undefined, ...when });
  if (patch.delete !== true && setsValues(patch)) {
    update.set(settingAttribute, new Set([batch]));
    update.require({ [settingAttribute]: undefined });
  }
  return update.build(tableName, key);
}

/**
 * The statement for the only request of `foldExpressions`; undefined where there are several, or PartiQL cannot express it.
 * It fails if another batch has staged values on the item, and if an attribute to add to is missing.
 */
export function foldStatement(tableName: string, key: Key, patch: Patch, batch: string): Statement | undefined {
  if (patch.delete === true) {
    return {
      Statement: `DELETE FROM "${tableName}" WHERE "PK" = ? AND "SK" = ? AND "${goneAttribute}" = ?`,
      Parameters: [key.PK, key.SK, batch],
    };
  }
  if (!fitsExpression(patch)) return undefined;
  const update = new UpdateBuilder();
  for (const [name, value] of Object.entries({ ...patch.set, foldedAt: clock.now() })) update.set(name, value);
  for (const [name, amount] of Object.entries(patch.add ?? {})) update.add(name, amount);
  for (const name of [...(patch.remove ?? []), stagedPrefix + batch]) update.remove(name);
  update.requirePresent(stagedPrefix + batch);
  if (setsValues(patch)) {
    update.remove(settingAttribute);
    update.require({ [settingAttribute]: new Set([batch]) });
  }
  return update.build(tableName, key);
}

/**
 * The statement that folds the changes of several batches into one item; none of them sets values that need an order. It
 * fails if one of them is not staged any more, and if an attribute to add to is missing.
 */
export function foldAllStatement(
  tableName: string,
  key: Key,
  patch: Patch,
  batches: readonly string[],
): Statement | undefined {
  const update = new UpdateBuilder();
  for (const [name, value] of Object.entries({ ...patch.set, foldedAt: clock.now() })) update.set(name, value);
  for (const [name, amount] of Object.entries(patch.add ?? {})) update.add(name, amount);
  for (const batch of batches) {
    update.remove(stagedPrefix + batch);
    update.requirePresent(stagedPrefix + batch);
  }
  return update.build(tableName, key);
}

/** Builds an UPDATE statement. */
class UpdateBuilder {
  readonly #clauses: string[] = [];
  readonly #conditions: string[] = [];
  readonly #values: unknown[] = [];
  readonly #expected: unknown[] = [];
  #isPlain = true;

  set(name: string, value: unknown): void {
    this.#clauses.push(`SET ${this.#quote(name)} = ?`);
    this.#values.push(value);
  }

  add(name: string, amount: number | bigint): void {
    this.#clauses.push(`SET ${this.#quote(name)} = ${this.#quote(name)} + ?`);
    this.#values.push(amount);
  }

  remove(name: string): void {
    this.#clauses.push(`REMOVE ${this.#quote(name)}`);
  }

  /** @param values The required values of attributes; `undefined`: the attribute must be missing. */
  require(values: Readonly<Record<string, unknown>>): void {
    for (const [name, value] of Object.entries(values)) {
      this.#conditions.push(`${this.#quote(name)} ${value === undefined ? 'IS MISSING' : '= ?'}`);
      if (value !== undefined) this.#expected.push(value);
    }
  }

  requirePresent(name: string): void {
    this.#conditions.push(`${this.#quote(name)} IS NOT MISSING`);
  }

  build(tableName: string, { PK, SK }: Key): Statement | undefined {
    const conditions = ['"PK" = ?', '"SK" = ?', ...this.#conditions].join(' AND ');
    const statement = {
      Statement: `UPDATE "${tableName}" ${this.#clauses.join(' ')} WHERE ${conditions}`,
      Parameters: [...this.#values, PK, SK, ...this.#expected],
    };
    return this.#isPlain && fits(statement.Statement) ? statement : undefined;
  }

  #quote(name: string): string {
    this.#isPlain &&= plainName.test(name);
    return `"${name}"`;
  }
}

/** A statement, and an estimate of its units in case the table does not report them. */
export interface PricedStatement {
  readonly statement: Statement;
  readonly estimateUnits: () => number;
}

/**
 * Sends up to {@link statementsPerRequest} statements in one request.
 *
 * @returns The answer to each, and the metadata of the request.
 */
export async function sendStatements(
  writer: Writer,
  statements: readonly PricedStatement[],
): Promise<{ answers: StatementAnswer[]; $metadata: object }> {
  const {
    Responses: answers = [],
    ConsumedCapacity,
    $metadata,
  } = await writer.client.send(
    new BatchExecuteStatementCommand({
      Statements: statements.map(({ statement }) => ({
        ...statement,
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
      })),
    }),
  );
  // DynamoDB Local does not report what statements cost.
  if (ConsumedCapacity === undefined) {
    currentMeter()?.add({ wru: statements.reduce((sum, { estimateUnits }) => sum + estimateUnits(), 0) });
  }
  return { answers, $metadata };
}

/** The codes of transient errors: the statement may be sent again. */
export const transientCodes: ReadonlySet<string | undefined> = new Set([
  'InternalServerError',
  'ProvisionedThroughputExceeded',
  'RequestLimitExceeded',
  'ThrottlingError',
  'TransactionConflict',
]);
