/** The answer to a request, as HTTP carries it. */
export interface Answer {
  readonly status: number;
  /** JSON text. */
  readonly body: string;
}

/** A way to an engine: the embedded one, or one elsewhere. */
export interface Transport {
  /**
   * Carries out a request.
   *
   * @param operation For example `PutItem`.
   * @param body JSON text of the input.
   * @throws ConnectionLost when no answer comes.
   */
  send(operation: string, body: string): Promise<Answer>;
}

/** The connection broke before the answer was there. It is not known whether the request was carried out. */
export class ConnectionLost extends Error {
  readonly code = 'ECONNRESET';

  constructor() {
    super('the connection to the engine was lost');
  }
}
