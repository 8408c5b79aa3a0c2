import { clock } from '../../lib/clock.ts';
import type { Answer, Transport } from '../engine/src/transport.ts';
import type { Operate, Operated } from './messages.ts';

/** The engine of the main thread, as other threads reach it. */
export class MainEngine implements Transport {
  readonly #post: (message: Operate) => void;
  readonly #calls = new Map<number, (answer: Answer) => void>();
  #lastCall = 0;

  constructor(post: (message: Operate) => void) {
    this.#post = post;
  }

  send(operation: string, body: string): Promise<Answer> {
    return new Promise((done) => {
      this.#lastCall += 1;
      this.#calls.set(this.#lastCall, done);
      this.#post({ kind: 'operate', call: this.#lastCall, operation, body, time: clock.now() });
    });
  }

  receive({ call, answer, time }: Operated): void {
    clock.observe(time);
    this.#calls.get(call)?.(answer);
    this.#calls.delete(call);
  }
}

/** Carries out an operation for another thread. */
export async function operate(
  engine: Transport,
  { call, operation, body, time }: Operate,
  post: (message: Operated) => void,
): Promise<void> {
  clock.observe(time);
  const answer = await engine.send(operation, body);
  post({ kind: 'operated', call, answer, time: clock.now() });
}
