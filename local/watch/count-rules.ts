import { stateOfRule } from '../../lib/domain/values/rule-state.ts';
import { listAccounts } from '../../lib/store/entities/account.ts';
import { getRules, listRuleIdsOfAccount } from '../../lib/store/entities/rule.ts';
import type { Store } from '../../lib/store/open-store.ts';

/** Rules that are read at once. */
const chunkSize = 100;

/** The least age of a count before another one, and how many times longer than counting it takes. */
const minAgeMs = 60_000;
const restFactor = 50;

/** Counts the rules of a catalogue by their states, now and then: no index has them by state. */
export class RuleCounts {
  readonly #store: Store;
  #counts: ReadonlyMap<string, number> = new Map();
  #nextAt = Number.NEGATIVE_INFINITY;
  #running: Promise<void> | undefined;

  constructor(store: Store) {
    this.#store = store;
  }

  /** The latest counts, by state. They may be minutes old; the first call waits for them. */
  async read(): Promise<ReadonlyMap<string, number>> {
    if (performance.now() >= this.#nextAt) {
      this.#running ??= this.#count().finally(() => (this.#running = undefined));
      if (this.#counts.size === 0) await this.#running;
    }
    return this.#counts;
  }

  async #count(): Promise<void> {
    const begun = performance.now();
    const { table } = this.#store.begin();
    const counts = new Map<string, number>([['STUCK', 0]]);
    const add = async (ids: readonly string[]) => {
      for (const rule of (await getRules(table, ids)).values()) {
        const state = stateOfRule(rule);
        counts.set(state, (counts.get(state) ?? 0) + 1);
      }
    };
    for await (const { account } of listAccounts(table)) {
      const ids: string[] = [];
      for await (const id of listRuleIdsOfAccount(table, account)) {
        ids.push(id);
        if (ids.length === chunkSize) await add(ids.splice(0));
      }
      await add(ids);
    }
    this.#counts = counts;
    const now = performance.now();
    this.#nextAt = now + Math.max(minAgeMs, (now - begun) * restFactor);
  }
}
