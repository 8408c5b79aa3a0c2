import { log } from '../log.ts';
import { ToolSilence } from '../movers/transfer-tool.ts';

/** The addresses of tools that are given up for a run, since they do not answer. */
export class SilentTools {
  readonly #silences = new Map<string, ToolSilence>();

  /** Whether a tool is given up. */
  has(host: string | undefined): boolean {
    return host !== undefined && this.#silences.has(host);
  }

  /** Asks a tool, unless it is given up. @throws What `ask` throws, and the silence of a tool that is given up. */
  async ask<T>(host: string, ask: () => Promise<T>): Promise<T> {
    const known = this.#silences.get(host);
    if (known !== undefined) throw known;
    try {
      return await ask();
    } catch (error) {
      if (error instanceof ToolSilence && !this.#silences.has(host)) {
        this.#silences.set(host, error);
        log.warn('a transfer tool does not answer', { host, error });
      }
      throw error;
    }
  }
}
