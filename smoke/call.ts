import type { Answer, Asked } from './http/answer.ts';

/** A request as a user of the catalogue sends it. */
export interface Call extends Omit<Asked, 'body'> {
  /** Sent as JSON. */
  readonly json?: unknown;
  readonly body?: string | Buffer;
}

/** Sender of requests with a token. */
export interface Caller {
  readonly options: { readonly account: string };
  call(call: Call): Promise<Answer>;
}
