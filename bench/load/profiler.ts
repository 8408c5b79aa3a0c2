/** A node of the call tree that V8's profiler has sampled. */
interface ProfileNode {
  readonly id: number;
  readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
  readonly children?: readonly number[];
}

/** A profile as V8's profiler gives it: which node ran at each sample, and the microseconds since the sample before. */
export interface Profile {
  readonly nodes: readonly ProfileNode[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

interface Reply {
  readonly id?: number;
  readonly result?: { readonly profile?: Profile };
  readonly error?: { readonly message: string };
}

const samplingIntervalUs = 250;

/** Starts and stops V8's profiler in another process, through its inspector. */
export class Profiler {
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, PromiseWithResolvers<Reply>>();
  #lastId = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener('message', ({ data }) => {
      const reply = JSON.parse(String(data)) as Reply;
      if (reply.id !== undefined) this.#waiting.get(reply.id)?.resolve(reply);
    });
    socket.addEventListener('close', () => {
      for (const { reject } of this.#waiting.values()) reject(new Error('the process has closed its inspector'));
    });
  }

  /**
   * Connects to a process that runs with `--inspect`.
   *
   * @param output Lines that it has printed; one of them names the address of the inspector.
   * @throws Error if none does, or if nobody listens there.
   */
  static async connect(output: readonly string[]): Promise<Profiler> {
    const url = output.map((line) => /ws:\/\/\S+/.exec(line)?.[0]).find((found) => found !== undefined);
    if (url === undefined) throw new Error('the process has no inspector');
    const socket = new WebSocket(url);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    socket.addEventListener('open', () => resolve());
    socket.addEventListener('error', () => reject(new Error(`no inspector at ${url}`)));
    await promise;
    const profiler = new Profiler(socket);
    await profiler.#send('Profiler.enable');
    await profiler.#send('Profiler.setSamplingInterval', { interval: samplingIntervalUs });
    return profiler;
  }

  async start(): Promise<void> {
    await this.#send('Profiler.start');
  }

  /** Ends what `start` has begun. */
  async stop(): Promise<Profile> {
    const { result } = await this.#send('Profiler.stop');
    if (result?.profile === undefined) throw new Error('the profiler has given no profile');
    return result.profile;
  }

  close(): void {
    this.#socket.close();
  }

  async #send(method: string, params: object = {}): Promise<Reply> {
    this.#lastId += 1;
    const id = this.#lastId;
    const waiting = Promise.withResolvers<Reply>();
    this.#waiting.set(id, waiting);
    this.#socket.send(JSON.stringify({ id, method, params }));
    const reply = await waiting.promise;
    this.#waiting.delete(id);
    if (reply.error !== undefined) throw new Error(`${method}: ${reply.error.message}`);
    return reply;
  }
}
