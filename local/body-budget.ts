/** A body that is being read. */
export interface OpenBody {
  /** Notes a part of it. */
  add(bytes: number): void;
  /** It is complete, or given up. */
  close(): void;
}

/**
 * Bounds the memory of bodies that have not arrived completely: anybody may begin one, without a token. When they exceed the
 * budget, the one whose last part is the oldest is given up, so that those that arrive go on.
 */
export class BodyBudget {
  readonly #maxBytes: number;
  #bytes = 0;
  /** In the order of their last parts. */
  readonly #open = new Map<OpenBody, { bytes: number; readonly giveUp: () => void }>();

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  open(giveUp: () => void): OpenBody {
    const body: OpenBody = {
      add: (bytes) => this.#add(body, bytes),
      close: () => {
        this.#bytes -= this.#open.get(body)?.bytes ?? 0;
        this.#open.delete(body);
      },
    };
    this.#open.set(body, { bytes: 0, giveUp });
    return body;
  }

  #add(body: OpenBody, bytes: number): void {
    const state = this.#open.get(body);
    if (state === undefined) return;
    state.bytes += bytes;
    this.#bytes += bytes;
    this.#open.delete(body);
    this.#open.set(body, state);
    for (const [oldest, { bytes: held, giveUp }] of this.#open) {
      if (this.#bytes <= this.#maxBytes) break;
      if (held === 0) continue;
      oldest.close();
      giveUp();
    }
  }
}
