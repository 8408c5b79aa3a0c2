import type { Reply } from './fleet.ts';
import { isUnknown } from './outcome.ts';

/** Which rules must be there at the end, which must not, and which datasets must be subscribed to, as far as clients know. */
export class RuleLedger {
  /** The time at which the lasting subscription was acknowledged; datasets that are newer must be matched. */
  subscribedAt = Infinity;
  readonly made = new Set<string>();
  readonly gone = new Set<string>();
  /** Rules that clients have suspended, or tried to. */
  readonly suspended = new Set<string>();
  readonly #forgotten = new Set<string>();

  /** Notes the reply to a request for rules. */
  noteMade(reply: Reply | undefined): void {
    if (reply?.status !== 201) return;
    for (const id of JSON.parse(reply.text) as string[]) if (!this.#forgotten.has(id)) this.made.add(id);
  }

  /** Notes the reply to the removal of a rule. */
  noteEnd(id: string, reply: Reply | undefined): void {
    if (this.#forgotten.has(id)) return;
    if (reply?.status === 200) this.gone.add(id);
    else if (isUnknown(reply)) this.made.delete(id);
  }

  /** Forgets a rule whose end is not known. */
  forget(id: string): void {
    this.#forgotten.add(id);
    this.made.delete(id);
    this.gone.delete(id);
  }
}
