import type { SectionTools } from './section-tools.ts';
import type { Replacement } from './state-file.ts';

/** Saves what is done as soon as the target says that the items of it would survive a crash. */
export class Checkpoint {
  readonly #tools: SectionTools;
  #unsaved: Replacement[] = [];
  #facts: Record<string, string> = {};
  #knownFreeKeys = -1;

  constructor(tools: SectionTools) {
    this.#tools = tools;
  }

  /** Adds a replacement whose items were handed to the target. */
  async add(replacement: Replacement, facts: Readonly<Record<string, string>>): Promise<void> {
    this.#unsaved.push(replacement);
    Object.assign(this.#facts, facts);
    await this.save(false);
  }

  /** Saves what is settled; `atOnce`: has the target settle everything. */
  async save(atOnce: boolean): Promise<void> {
    const { target, state, run, context } = this.#tools;
    if (this.#unsaved.length === 0 || !(await target.settle(atOnce))) return;
    const facts: Record<string, string> = { ...this.#facts, progress: target.progress };
    const lists = [...context.freeKeys];
    const known = lists.reduce((sum, [, { keys, isFull }]) => sum + keys.size + (isFull ? 1 : 0), 0);
    if (known !== this.#knownFreeKeys) {
      facts['freeKeys'] = JSON.stringify(lists.map(([scope, { keys, isFull }]) => [scope, [...keys], isFull]));
    }
    state.save(run, this.#unsaved, facts);
    this.#knownFreeKeys = known;
    this.#unsaved = [];
    this.#facts = {};
  }
}
