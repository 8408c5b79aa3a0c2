import type { AnswerSink, Metadata } from '../answer-sink.ts';
import type { AnswerPart } from './messages.ts';

/** The most bytes that may be on their way to a client before the function waits. */
const maxBytesUnderWay = 256 * 1024;

/** A sink that relays an answer to the main thread. The parts of one turn of the event loop are one message. */
export class AnswerRelay implements AnswerSink {
  readonly #post: (parts: readonly AnswerPart[]) => void;
  readonly #listeners: ((isComplete: boolean) => void)[] = [];
  #parts: AnswerPart[] = [];
  #bytesUnderWay = 0;
  #resume: (() => void) | undefined;
  isClosed = false;
  bytes = 0;

  constructor(post: (parts: readonly AnswerPart[]) => void) {
    this.#post = post;
  }

  onClose(listener: (isComplete: boolean) => void): void {
    this.#listeners.push(listener);
  }

  begin(metadata: Metadata): void {
    this.#add({ kind: 'begin', metadata });
  }

  flushHeaders(): void {
    this.#add({ kind: 'flush' });
  }

  write(chunk: Buffer, done: () => void): void {
    this.#add({ kind: 'write', chunk });
    this.bytes += chunk.length;
    this.#bytesUnderWay += chunk.length;
    if (this.#bytesUnderWay <= maxBytesUnderWay) done();
    else this.#resume = done;
  }

  end(done: () => void): void {
    this.#add({ kind: 'end' });
    done();
  }

  abort(): void {
    this.#add({ kind: 'abort' });
  }

  /** The client has taken some bytes. */
  take(bytes: number): void {
    this.#bytesUnderWay -= bytes;
    const resume = this.#resume;
    if (resume === undefined || this.#bytesUnderWay > maxBytesUnderWay) return;
    this.#resume = undefined;
    resume();
  }

  /** The client has disconnected before the end of the answer. */
  close(): void {
    this.isClosed = true;
    for (const listener of this.#listeners) listener(false);
  }

  /** Sends what waits for the end of the turn. */
  flush(): void {
    const parts = this.#parts;
    if (parts.length === 0) return;
    this.#parts = [];
    this.#post(parts);
  }

  #add(part: AnswerPart): void {
    if (this.isClosed) return;
    if (this.#parts.length === 0) setImmediate(() => this.flush());
    this.#parts.push(part);
  }
}
