import { BatchExecuteStatementCommand, type BatchExecuteStatementCommandOutput } from '@aws-sdk/lib-dynamodb';

import { fitsExpression, isSetting } from '../items/expressions.ts';
import {
  countedAtBeginning,
  goneAttribute,
  type Item,
  type Patch,
  settingAttribute,
  stagedPrefix,
} from '../items/item.ts';
import { currentMeter } from '../items/meter.ts';
import type { Change } from '../items/plan.ts';
import type { Key } from '../keys/key-parts.ts';
import type { Writer } from './writer.ts';

/*
 * Writes of one item each as PartiQL, of which a request carries 25: each with a condition and a verdict of its own, for
 * the units of a request of its own. What PartiQL does not say is a request of its own: adding to an attribute that may
 * be missing, and names that would have to be quoted.
 */

/** A PartiQL statement. */
export interface Statement {
  readonly Statement: string;
  readonly Parameters: unknown[];
}

/** What the table answers to a statement. */
type StatementAnswer = NonNullable<BatchExecuteStatementCommandOutput['Responses']>[number];

/** Why the table has refused a statement. */
export type StatementError = NonNullable<StatementAnswer['Error']>;

/** What a request carries. */
export const statementsPerRequest = 25;

/** The longest statement that DynamoDB takes, in bytes. */
const longestStatement = 8192;

/** Names that stand between double quotes as they are. */
const plainName = /^[\w.~:#-]+$/;

/** The statement of a conditional put, which names every attribute; undefined where it is too long. */
export function insertStatement(tableName: string, item: Item): Statement | undefined {
  const entries = Object.entries(item).filter(([, value]) => value !== undefined);
  const members = entries.map(([name]) => `'${name.replaceAll("'", "''")}': ?`).join(', ');
  const statement = {
    Statement: `INSERT INTO "${tableName}" VALUE {${members}}`,
    Parameters: entries.map(([, value]) => value),
  };
  return fits(statement) ? statement : undefined;
}

const fits = ({ Statement }: Statement) => Buffer.byteLength(Statement) <= longestStatement;

/**
 * The statement of the request that `stageExpressions` describes; undefined where PartiQL cannot say it. It is refused
 * where another batch has values waiting on the item, though the change may bear that, and where a revision is missing that
 * the change does not name.
 */
export function stageStatement(tableName: string, change: Change, batch: string): Statement | undefined {
  const { key, patch, when = {} } = change;
  const [attribute, value] = patch.delete === true ? [goneAttribute, batch] : [stagedPrefix + batch, patch];
  const update = new Update();
  update.set(attribute, value);
  for (const revision of countedAtBeginning) {
    if (patch.add?.[revision] === undefined) continue;
    if (Object.hasOwn(when, revision)) update.set(revision, Number(when[revision] ?? 0) + 1);
    else update.add(revision, 1);
  }
  update.require({ [goneAttribute]: undefined, ...when });
  if (patch.delete !== true && isSetting(patch)) {
    update.set(settingAttribute, new Set([batch]));
    update.require({ [settingAttribute]: undefined });
  }
  return update.build(tableName, key);
}

/**
 * The statement of the only request that `foldExpressions` describes; undefined where there are several, or PartiQL cannot
 * say it. It is refused where another batch has values waiting on the item, and where an attribute is missing that is added
 * to.
 */
export function foldStatement(tableName: string, key: Key, patch: Patch, batch: string): Statement | undefined {
  if (patch.delete === true) {
    return {
      Statement: `DELETE FROM "${tableName}" WHERE "PK" = ? AND "SK" = ? AND "${goneAttribute}" = ?`,
      Parameters: [key.PK, key.SK, batch],
    };
  }
  if (!fitsExpression(patch)) return undefined;
  const update = new Update();
  for (const [name, value] of Object.entries({ ...patch.set, foldedAt: Date.now() })) update.set(name, value);
  for (const [name, amount] of Object.entries(patch.add ?? {})) update.add(name, amount);
  for (const name of [...(patch.remove ?? []), stagedPrefix + batch]) update.remove(name);
  update.requirePresent(stagedPrefix + batch);
  if (isSetting(patch)) {
    update.remove(settingAttribute);
    update.require({ [settingAttribute]: new Set([batch]) });
  }
  return update.build(tableName, key);
}

/**
 * The statement that folds the changes of several batches into one item, none of which gives values that need an order.
 * It is refused where one of them is not there any more, and where an attribute is missing that is added to.
 */
export function foldAllStatement(
  tableName: string,
  key: Key,
  patch: Patch,
  batches: readonly string[],
): Statement | undefined {
  const update = new Update();
  for (const [name, value] of Object.entries({ ...patch.set, foldedAt: Date.now() })) update.set(name, value);
  for (const [name, amount] of Object.entries(patch.add ?? {})) update.add(name, amount);
  for (const batch of batches) {
    update.remove(stagedPrefix + batch);
    update.requirePresent(stagedPrefix + batch);
  }
  return update.build(tableName, key);
}

/** Puts an UPDATE together. */
class Update {
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

  /** @param values What attributes must be; `undefined`: they must be missing. */
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
    return this.#isPlain && fits(statement) ? statement : undefined;
  }

  #quote(name: string): string {
    this.#isPlain &&= plainName.test(name);
    return `"${name}"`;
  }
}

/** A statement, and the units that it is taken to cost where the table does not say. */
export interface Priced {
  readonly statement: Statement;
  readonly units: number;
}

/**
 * Sends statements of one item each, no more than {@link statementsPerRequest}.
 *
 * @returns The answer to each, and how often the request was sent.
 */
export async function sendStatements(
  writer: Writer,
  statements: readonly Priced[],
): Promise<{ answers: StatementAnswer[]; attempts: number }> {
  const {
    Responses: answers = [],
    ConsumedCapacity,
    $metadata: { attempts = 1 },
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
    currentMeter()?.add({ wru: statements.reduce((sum, { units }) => sum + units, 0) });
  }
  return { answers, attempts };
}

/** Codes of errors that pass: the statement may be sent again. */
export const passingCodes: ReadonlySet<string | undefined> = new Set([
  'InternalServerError',
  'ProvisionedThroughputExceeded',
  'RequestLimitExceeded',
  'ThrottlingError',
  'TransactionConflict',
]);
