import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';

/** Asks for secrets, one after the other. A terminal does not show them; anything else has one in each line. */
export class SecretPrompt {
  readonly #isTerminal = process.stdin.isTTY;
  readonly #lines;
  readonly #reader;

  constructor() {
    const output = new Writable({ write: (_chunk, _encoding, done) => done() });
    this.#reader = createInterface({ input: process.stdin, output, terminal: this.#isTerminal });
    this.#lines = this.#reader[Symbol.asyncIterator]();
    this.#reader.on('SIGINT', () => process.exit(130));
  }

  /** @throws Error when there is none. */
  async ask(what: string): Promise<string> {
    if (this.#isTerminal) process.stderr.write(`${what}: `);
    const { value, done } = await this.#lines.next();
    if (this.#isTerminal) process.stderr.write('\n');
    if (done === true || value === '') throw new Error(`${what}: nothing was given.`);
    return value;
  }

  close(): void {
    this.#reader.close();
    // A file as the standard input has no such method.
    if ('unref' in process.stdin) process.stdin.unref();
  }
}
