import { setTimeout as sleep } from 'node:timers/promises';

import { answerError } from '../protocol.ts';
import type { Answer, Transport } from '../transport.ts';
import { parseNamed } from '../values/json-names.ts';
import { type Input, transactionCancelled, transactionConflict } from './faults.ts';

/** An admitted request: it locks its items until it is released. */
export interface Admission {
  /** The part of the input to carry out. */
  readonly input: Input;
  /** Adds the refused parts to the answer. */
  complete(answer: Answer): Answer;
  release(): void;
}

/** The kind of lock that a request takes on an item. */
type Hold = 'transaction' | 'write';

interface Claim {
  readonly hold: Hold;
  /** Items as texts; undefined for a part of the request without an item. */
  readonly keys: readonly (string | undefined)[];
}

/**
 * Locks of the items of concurrent requests, as in DynamoDB: a transaction conflicts with every other write and
 * transaction on an item, a single write with transactions only. The later request is refused at once.
 *
 * @param keyNames The key attributes of the tables.
 */
export class Contention {
  readonly #keyNames: readonly string[];
  readonly #held = new Map<string, Hold[]>();

  constructor(keyNames: readonly string[]) {
    this.#keyNames = keyNames;
  }

  /** Admits a request, or answers that it conflicts with another one. */
  enter(operation: string, input: Input): Admission | Answer {
    const claim = this.#claimOf(operation, input);
    if (claim === undefined) return { input, complete: (answer) => answer, release: () => {} };
    const meets = claim.keys.map((key) => key !== undefined && this.#isHeldAgainst(claim.hold, key));
    if (operation === 'BatchExecuteStatement') return this.#enterInParts(input, claim, meets);
    if (meets.includes(true)) {
      return answerError(
        claim.hold === 'write'
          ? transactionConflict
          : transactionCancelled(meets.map((met) => (met ? 'TransactionConflict' : 'None'))),
      );
    }
    return { input, complete: (answer) => answer, release: this.#take(claim.hold, claim.keys) };
  }

  /** Statements of a batch are admitted or refused one by one. */
  #enterInParts(input: Input, { hold, keys }: Claim, meets: readonly boolean[]): Admission | Answer {
    if (!meets.includes(false)) {
      return { status: 200, body: JSON.stringify({ Responses: meets.map(() => statementConflict) }) };
    }
    const statements = (input['Statements'] as readonly unknown[]).filter((_one, at) => !meets[at]);
    const release = this.#take(
      hold,
      keys.filter((_one, at) => !meets[at]),
    );
    const complete = (answer: Answer): Answer => {
      if (answer.status !== 200 || !meets.includes(true)) return answer;
      const body = parseNamed(answer.body) as { readonly Responses?: readonly unknown[] };
      const done = [...(body.Responses ?? [])];
      const Responses = meets.map((met) => (met ? statementConflict : done.shift()));
      return { status: 200, body: JSON.stringify({ ...body, Responses }) };
    };
    return { input: { ...input, Statements: statements }, complete, release };
  }

  /** The items that a request writes, as texts; undefined for a part of the request without an item. */
  keysOf(operation: string, input: Input): readonly (string | undefined)[] {
    return this.#claimOf(operation, input)?.keys ?? [];
  }

  #take(hold: Hold, keys: readonly (string | undefined)[]): () => void {
    const named = keys.filter((key) => key !== undefined);
    for (const key of named) this.#held.set(key, [...(this.#held.get(key) ?? []), hold]);
    return () => {
      for (const key of named) {
        const rest = (this.#held.get(key) ?? []).toSpliced((this.#held.get(key) ?? []).indexOf(hold), 1);
        if (rest.length === 0) this.#held.delete(key);
        else this.#held.set(key, rest);
      }
    };
  }

  #isHeldAgainst(hold: Hold, key: string): boolean {
    const locks = this.#held.get(key) ?? [];
    return hold === 'transaction' ? locks.length > 0 : locks.includes('transaction');
  }

  #claimOf(operation: string, input: Input): Claim | undefined {
    switch (operation) {
      case 'PutItem':
        return { hold: 'write', keys: [this.#keyOf(input['Item'])] };
      case 'UpdateItem':
      case 'DeleteItem':
        return { hold: 'write', keys: [this.#keyOf(input['Key'])] };
      case 'BatchExecuteStatement':
        return { hold: 'write', keys: (input['Statements'] as readonly Statement[]).map((one) => this.#keyIn(one)) };
      case 'TransactWriteItems': {
        const parts = input['TransactItems'] as readonly Readonly<Record<string, Input>>[];
        const keys = parts.map((part) => {
          const [action] = Object.values(part);
          return this.#keyOf(action?.['Item'] ?? action?.['Key']);
        });
        return { hold: 'transaction', keys };
      }
      default:
        return undefined;
    }
  }

  #keyOf(item: unknown): string {
    const values = item as Input;
    return JSON.stringify(this.#keyNames.map((name) => values[name]));
  }

  /** The key in a statement: the parameters that follow the names of the key attributes. */
  #keyIn({ Statement, Parameters = [] }: Statement): string | undefined {
    const values = this.#keyNames.map((name) => {
      const found = new RegExp(`(["']?)\\b${name}\\1\\s*[:=]\\s*\\?`).exec(Statement);
      if (found === null) return undefined;
      return Parameters[Statement.slice(0, found.index).split('?').length - 1];
    });
    return values.includes(undefined) ? undefined : JSON.stringify(values);
  }
}

interface Statement {
  readonly Statement: string;
  readonly Parameters?: readonly unknown[];
}

const statementConflict = {
  Error: { Code: 'TransactionConflict', Message: 'Transaction is ongoing for the item' },
};

/**
 * Adds conflicts to an engine: a transaction locks its items for some milliseconds, a single write for one turn of the
 * event loop.
 *
 * @param milliseconds Duration of a transaction; on AWS about 10 to 20.
 */
export function withContention(transport: Transport, keyNames: readonly string[], milliseconds: number): Transport {
  const contention = new Contention(keyNames);
  return {
    send: async (operation, body) => {
      const passage = contention.enter(operation, parseNamed(body) as Input);
      if ('status' in passage) return passage;
      try {
        if (operation === 'TransactWriteItems') await sleep(milliseconds);
        return passage.complete(await transport.send(operation, JSON.stringify(passage.input)));
      } finally {
        passage.release();
      }
    },
  };
}
