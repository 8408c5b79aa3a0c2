/** A request to the deployment. */
export interface Asked {
  readonly method: string;
  /** The path below the URL of the deployment, sent as it stands. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** Ends the answer, as a client that leaves, as soon as its text so far is enough. */
  readonly until?: (text: string) => boolean;
  /** How long the end is awaited after status and headers, where these alone matter; the patience of the client by default. */
  readonly endWithinMs?: number;
}

/** An answer that came to its end. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** Milliseconds from the request to status and headers, to the first byte of the body, and to the end. */
  readonly headMs: number;
  readonly firstByteMs: number;
  readonly endMs: number;
}

/** How a request failed without a whole answer. */
export type TroubleKind = 'unreachable' | 'silent' | 'open' | 'broken';

/** No whole answer came; the message says how far it got. */
export class Trouble extends Error {
  readonly kind: TroubleKind;
  /** Status and headers, if they came. */
  readonly head: Pick<Answer, 'status' | 'headers'> | undefined;
  /** Whether a part of a body came. */
  readonly hasBytes: boolean;

  constructor(kind: TroubleKind, message: string, head?: Pick<Answer, 'status' | 'headers'>, hasBytes = false) {
    super(message);
    this.name = 'Trouble';
    this.kind = kind;
    this.head = head;
    this.hasBytes = hasBytes;
  }
}

const unreachable = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT']);

/** Collects an answer piece by piece, and watches that it goes on. */
export class Collector {
  readonly answer: Promise<Answer>;
  readonly #asked: Asked;
  #patienceMs: number;
  readonly #leave: () => void;
  readonly #start = performance.now();
  readonly #pieces: Buffer[] = [];
  #alarm: NodeJS.Timeout;
  readonly #settle: { readonly resolve: (answer: Answer) => void; readonly reject: (trouble: Trouble) => void };
  #head: Pick<Answer, 'status' | 'headers' | 'headMs'> | undefined;
  #firstByteMs: number | undefined;
  #bytes = 0;
  #isOver = false;

  /**
   * @param patienceMs How long nothing may happen.
   * @param leave Closes the connection.
   */
  constructor(asked: Asked, patienceMs: number, leave: () => void) {
    this.#asked = asked;
    this.#patienceMs = patienceMs;
    this.#leave = leave;
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    this.answer = promise;
    this.#settle = { resolve, reject };
    this.#alarm = this.#startAlarm();
  }

  /** Whether status and headers came. */
  get hasHead(): boolean {
    return this.#head !== undefined;
  }

  /** Whether the answer has come to its end, or is given up. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Something happened: waits anew. */
  refresh(): void {
    this.#alarm.refresh();
  }

  begin(status: number, headers: Readonly<Record<string, string>>): void {
    this.#head = { status, headers, headMs: this.#elapsed() };
    clearTimeout(this.#alarm);
    this.#patienceMs = Math.min(this.#patienceMs, this.#asked.endWithinMs ?? Infinity);
    this.#alarm = this.#startAlarm();
  }

  add(piece: Buffer): void {
    this.#firstByteMs ??= this.#elapsed();
    this.#pieces.push(piece);
    this.#bytes += piece.length;
    this.refresh();
    if (this.#asked.until?.(Buffer.concat(this.#pieces).toString()) !== true) return;
    this.end();
    this.#leave();
  }

  end(): void {
    this.#stop();
    if (this.#head === undefined) return this.fail(new Error('the connection was closed'));
    const endMs = this.#elapsed();
    const body = Buffer.concat(this.#pieces);
    this.#settle.resolve({ ...this.#head, body, endMs, firstByteMs: this.#firstByteMs ?? endMs });
  }

  fail(error: Error & { code?: string }): void {
    this.#stop();
    const { code = error.message } = error;
    if (this.#head !== undefined)
      return this.#settle.reject(
        new Trouble(
          'broken',
          `${this.#soFar()}, then the connection broke after ${this.#bytes} bytes (${code})`,
          this.#head,
          this.#bytes > 0,
        ),
      );
    if (unreachable.has(code))
      this.#settle.reject(new Trouble('unreachable', `the address cannot be reached (${code})`));
    else
      this.#settle.reject(
        new Trouble('broken', `${this.#what()}: the connection was closed without an answer (${code})`),
      );
  }

  #startAlarm(): NodeJS.Timeout {
    return setTimeout(() => this.#giveUp(), this.#patienceMs);
  }

  #stop(): void {
    this.#isOver = true;
    clearTimeout(this.#alarm);
  }

  #giveUp(): void {
    this.#stop();
    const seconds = this.#patienceMs / 1000;
    const trouble =
      this.#head === undefined
        ? new Trouble('silent', `${this.#what()}: no answer within ${seconds} s`)
        : new Trouble(
            'open',
            `${this.#soFar()}, but the answer did not end: nothing more came for ${seconds} s after ${this.#bytes} bytes`,
            this.#head,
            this.#bytes > 0,
          );
    this.#settle.reject(trouble);
    this.#leave();
  }

  #what(): string {
    return `${this.#asked.method} ${shortened(this.#asked.path)}`;
  }

  #soFar(): string {
    return `${this.#what()}: ${this.#head?.status} came after ${Math.round(this.#head?.headMs ?? 0)} ms`;
  }

  #elapsed(): number {
    return performance.now() - this.#start;
  }
}

function shortened(path: string): string {
  return path.length > 70 ? `${path.slice(0, 70)}...` : path;
}

/** Headers with one text each. */
export function flatten(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
): Record<string, string> {
  const entries = Object.entries(headers).filter(([name, value]) => value !== undefined && !name.startsWith(':'));
  return Object.fromEntries(entries.map(([name, value]) => [name, String(value)]));
}
