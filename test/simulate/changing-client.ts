import { type JudgedRequest, requestOf } from './actions.ts';
import type { CallLog } from './calls.ts';
import type { Reply } from './fleet.ts';
import { type SendOnce, sendWithKey } from './keyed-request.ts';
import type { DidChange } from './model.ts';
import { outcomeOf } from './outcome.ts';
import type { Random } from './random.ts';
import { shownDid } from './snapshot.ts';

/** Share of the changes that are sent with an `Idempotency-Key`, and again until they are answered. */
const keyedShare = 0.3;

/** Lets time pass. */
type Sleep = (milliseconds: number) => Promise<void>;

/** Carries out what the model judges, and logs it. */
export class ChangingClient {
  readonly #scope: string;
  readonly #send: SendOnce;
  readonly #sleep: Sleep;
  readonly #calls: CallLog;
  readonly #lives: () => number;

  /** @param lives How often the service was restored. */
  constructor(
    scope: string,
    send: SendOnce,
    { sleep, calls, lives }: { readonly sleep: Sleep; readonly calls: CallLog; readonly lives: () => number },
  ) {
    this.#scope = scope;
    this.#send = send;
    this.#sleep = sleep;
    this.#calls = calls;
    this.#lives = lives;
  }

  /** The reply to a request; undefined if none came. */
  async act(wish: JudgedRequest, random: Random): Promise<Reply | undefined> {
    const call = this.#calls.begin(wish);
    const over = () => {
      call.overAt = this.#calls.now;
    };
    const request = requestOf(this.#scope, wish);
    const life = this.#lives();
    const isReading = wish.do === 'look' || wish.do === 'tag';
    const isKeyed = !isReading && random.fork('keyed').chance(keyedShare);
    const reply = isKeyed
      ? await sendWithKey(this.#send, request, random, {
          sleep: this.#sleep,
          over,
          mayRepeat: () => this.#lives() === life,
        })
      : await this.#send(request, random, over);
    this.#calls.end(
      call,
      outcomeOf(reply, ({ text }) => (isReading ? shownDid(text) : '')),
    );
    return reply;
  }

  /** Changes a DID on condition that it is as the client has read it. The reply is the last one; undefined if none came. */
  async actOnMatch(change: DidChange, random: Random): Promise<Reply | undefined> {
    const tag = this.#calls.newTag();
    const read = await this.act({ do: 'tag', name: change.name, tag }, random.fork('tag'));
    const { etag } = read ?? {};
    if (etag === undefined) return read;
    await this.#sleep(10 ** random.between(0, 4.5));
    return this.act({ do: 'match', tag, etag, change }, random);
  }
}
