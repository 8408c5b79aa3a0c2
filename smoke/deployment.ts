import type { Call, Caller } from './call.ts';
import type { Answer, Asked } from './http/answer.ts';
import { Http1 } from './http/http1.ts';
import type { SmokeOptions } from './options.ts';
import { type Made, OwnThings } from './own-things.ts';

/** The deployment under test, and what the lines have found out so far. */
export class Deployment implements Caller {
  readonly options: SmokeOptions;
  readonly http: Http1;
  readonly things: OwnThings;
  /** The token of the log-in. */
  token: string | undefined;
  /** Whether long answers come while they are made; undefined: not known yet. */
  streams: boolean | undefined;

  /**
   * @param isLarge Whether a line needs a dataset of 1,000 files.
   * @param made Objects of another run, which are used and left as they are.
   */
  constructor(options: SmokeOptions, isLarge: boolean, made?: Made) {
    this.options = options;
    this.http = new Http1(options);
    this.things = new OwnThings(this, isLarge, made);
  }

  /**
   * Sends a request with the token.
   *
   * @throws Trouble if no whole answer came.
   */
  call(call: Call, http: { send(asked: Asked): Promise<Answer> } = this.http): Promise<Answer> {
    return http.send(this.asked(call));
  }

  /** A request with the token, as it is sent. */
  asked({ json, body, headers, ...call }: Call): Asked {
    const sent = json === undefined ? body : JSON.stringify(json);
    return {
      ...call,
      headers: { ...(this.token === undefined ? {} : { 'X-Rucio-Auth-Token': this.token }), ...headers },
      ...(sent === undefined ? {} : { body: sent }),
    };
  }

  /** Another connection, of its own. */
  openConnection(): Http1 {
    return new Http1(this.options, 1);
  }
}
