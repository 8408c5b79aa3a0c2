import { setTimeout as sleep } from 'node:timers/promises';

import { EngineError } from '../errors.ts';
import { answerError } from '../protocol.ts';
import { type Answer, ConnectionLost, type Transport } from '../transport.ts';
import { parseNamed } from '../values/json-names.ts';

/** A fault that replaces or changes the engine's answer. */
export type Fault =
  /** The engine does not receive the request; this error is answered. */
  | { readonly kind: 'refuse'; readonly error: EngineError }
  /** The engine does not receive the request; this answer of any form is given. */
  | { readonly kind: 'answer'; readonly status: number; readonly body: object }
  /** The connection breaks before the engine receives the request. */
  | { readonly kind: 'hang up' }
  /** The engine carries the request out, then the connection breaks: the answer is lost. */
  | { readonly kind: 'lose answer' }
  /** The engine receives the request some milliseconds later, or when a promise resolves. */
  | { readonly kind: 'delay'; readonly until: number | Promise<unknown> }
  /** The page or the list of keys ends after this many items, like a full page in DynamoDB. */
  | { readonly kind: 'cut'; readonly items: number };

/** The JSON input of a request. */
export type Input = Readonly<Record<string, unknown>>;

/** Chooses the fault of a request; undefined: none. */
export type ChooseFault = (operation: string, input: Input) => Fault | undefined;

/** A transport to an engine into which tests inject faults. */
export interface FaultyTransport extends Transport {
  /** Replaces the function that chooses faults. */
  injectFaults(choose: ChooseFault): void;
  /** Serialises concurrent requests in a random order given by a seed; undefined: in their order of arrival. */
  shuffle(seed: number | undefined): void;
}

/** Adds faults and schedules to a transport. */
export function withFaults(transport: Transport): FaultyTransport {
  let decide: ChooseFault = () => undefined;
  let schedule: Schedule | undefined;
  const carryOut = async (operation: string, body: string): Promise<Answer> => {
    await schedule?.turn();
    const input = parseNamed(body) as Input;
    const fault = decide(operation, input);
    switch (fault?.kind) {
      case 'refuse':
        return answerError(fault.error);
      case 'answer':
        return { status: fault.status, body: JSON.stringify(fault.body) };
      case 'hang up':
        throw new ConnectionLost();
      case 'lose answer':
        await transport.send(operation, body);
        throw new ConnectionLost();
      case 'delay':
        await (typeof fault.until === 'number' ? sleep(fault.until) : fault.until);
        return transport.send(operation, body);
      case 'cut':
        return sendCut(transport, operation, input, fault.items);
      default:
        return transport.send(operation, body);
    }
  };
  return {
    send: carryOut,
    injectFaults: (next) => {
      decide = next;
    },
    shuffle: (seed) => {
      schedule = seed === undefined ? undefined : new Schedule(seed);
    },
  };
}

/** Releases waiting requests one by one, each after the previous one had its turn of the event loop. */
class Schedule {
  readonly #waiting: (() => void)[] = [];
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  turn(): Promise<void> {
    return new Promise((goOn) => {
      this.#waiting.push(goOn);
      if (this.#waiting.length === 1) setTimeout(() => this.#next(), 1);
    });
  }

  #next(): void {
    const [goOn] = this.#waiting.splice(this.#choose(this.#waiting.length), 1);
    goOn?.();
    if (this.#waiting.length > 0) setTimeout(() => this.#next(), 1);
  }

  /** A number below `count`, from a linear congruential generator. */
  #choose(count: number): number {
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) >>> 0;
    return this.#state % count;
  }
}

interface KeysOfTable {
  readonly Keys: readonly unknown[];
}

async function sendCut(transport: Transport, operation: string, input: Input, items: number): Promise<Answer> {
  if (operation !== 'BatchGetItem') {
    const limit = Math.min(items, (input['Limit'] as number | undefined) ?? items);
    return transport.send(operation, JSON.stringify({ ...input, Limit: limit }));
  }
  const requests = Object.entries(input['RequestItems'] as Record<string, KeysOfTable>);
  const part = (keys: (request: KeysOfTable) => readonly unknown[]) =>
    Object.fromEntries(
      requests
        .map(([table, request]) => [table, { ...request, Keys: keys(request) }])
        .filter(([, one]) => (one as KeysOfTable).Keys.length > 0),
    );
  const asked = { ...input, RequestItems: part(({ Keys }) => Keys.slice(0, items)) };
  const { status, body } = await transport.send(operation, JSON.stringify(asked));
  if (status !== 200) return { status, body };
  const answer = { ...(parseNamed(body) as object), UnprocessedKeys: part(({ Keys }) => Keys.slice(items)) };
  return { status, body: JSON.stringify(answer) };
}

/** DynamoDB's answer to a request above the throughput limit of a partition or the account. */
export const throttled = new EngineError(
  'ProvisionedThroughputExceededException',
  'The level of configured provisioned throughput for the table was exceeded. Consider increasing your provisioning ' +
    'level with the UpdateTable API.',
);

/** DynamoDB's answer to a single write that conflicts with a transaction. */
export const transactionConflict = new EngineError(
  'TransactionConflictException',
  'Transaction is ongoing for the item',
);

/** DynamoDB's answer to a transaction that conflicts with another one on some items. */
export function transactionCancelled(codes: readonly string[]): EngineError {
  const reasons = codes.map((Code) =>
    Code === 'None' ? { Code } : { Code, Message: messages[Code] ?? 'The conditional request failed' },
  );
  return new EngineError(
    'TransactionCanceledException',
    `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes.join(', ')}]`,
    { CancellationReasons: reasons },
  );
}

const messages: Readonly<Record<string, string>> = {
  TransactionConflict: 'Transaction is ongoing for the item',
  ThrottlingError:
    'Throughput exceeds the current capacity for one or more global secondary indexes. DynamoDB is automatically ' +
    'scaling your index so please try again shortly.',
};
