import { EngineError } from '../../src/errors.ts';
import { printOutput } from '../../src/json.ts';
import type { Operation } from '../../src/operations/operation.ts';
import { batchExecuteStatement, executeStatement, executeTransaction } from '../../src/operations/statements.ts';
import type { TableDefinition } from '../../src/schema/definition.ts';
import { openStorage } from '../../src/storage/storage.ts';
import type { AttributeValue, Item } from '../../src/values/attribute-value.ts';

const throughput = { read: 0, write: 0 };
const common = {
  uuid: '',
  createdAt: 0,
  onDemand: true,
  throughput,
  streams: [],
  tags: {},
  deletionProtected: false,
};
const text = (name: string) => ({ name, type: 'S' }) as const;
const pk = text('pk');
const sk = text('sk');

/** A table with a hash key. */
const single: TableDefinition = {
  ...common,
  id: 1,
  name: 'Single',
  attributes: { pk: 'S' },
  keys: { hash: pk },
  indexes: [],
};

/** A table with both keys, a global index that projects keys only, and a local index that projects one attribute. */
const double: TableDefinition = {
  ...common,
  id: 2,
  name: 'Double',
  attributes: { pk: 'S', sk: 'S', g: 'S', l: 'N' },
  keys: { hash: pk, range: sk },
  indexes: [
    {
      id: 3,
      name: 'global',
      kind: 'global',
      keys: { hash: text('g'), range: sk },
      projection: { type: 'KEYS_ONLY' },
      throughput,
      activeAt: 0,
    },
    {
      id: 4,
      name: 'local',
      kind: 'local',
      keys: { hash: pk, range: { name: 'l', type: 'N' } },
      projection: { type: 'INCLUDE', nonKey: ['shown'] },
      throughput,
      activeAt: 0,
    },
  ],
};

/** The part of an operation's answer that the tests read. */
export interface Answer {
  readonly Items?: Item[];
  readonly NextToken?: string;
  readonly LastEvaluatedKey?: Item;
  readonly Responses?: readonly Record<string, unknown>[];
  readonly ConsumedCapacity?: unknown;
}

/** Runs statements on two tables in memory. */
export class Statements {
  readonly #context = { storage: openStorage(), now: () => Date.now() };

  constructor() {
    this.#context.storage.tables.save(single);
    this.#context.storage.tables.save(double);
  }

  /** Runs an ExecuteStatement. */
  run(statement: string, parameters?: readonly AttributeValue[], more: object = {}): Answer {
    return this.#call(executeStatement, {
      Statement: statement,
      ...(parameters === undefined ? {} : { Parameters: parameters }),
      ...more,
    });
  }

  /** The items in the answer of an ExecuteStatement. */
  items(statement: string, parameters?: readonly AttributeValue[], more: object = {}): Item[] {
    return this.run(statement, parameters, more).Items ?? [];
  }

  /** Runs a BatchExecuteStatement. */
  batch(statements: readonly (string | object)[], more: object = {}): Answer {
    return this.#call(batchExecuteStatement, { Statements: statements.map(toStatement), ...more });
  }

  /** Runs an ExecuteTransaction. */
  transact(statements: readonly (string | object)[], more: object = {}): Answer {
    return this.#call(executeTransaction, { TransactStatements: statements.map(toStatement), ...more });
  }

  #call(operation: Operation, input: object): Answer {
    return JSON.parse(printOutput(operation.run(this.#context, input as never)).body) as Answer;
  }
}

function toStatement(statement: string | object): object {
  return typeof statement === 'string' ? { Statement: statement } : statement;
}

/** The error of refused work: type, message and details. */
export function refusal(work: () => unknown): { type: string; message: string; details: object } {
  try {
    work();
  } catch (error) {
    if (error instanceof EngineError) return { type: error.type, message: error.message, details: error.details };
    throw error;
  }
  throw new Error('it was not refused');
}
