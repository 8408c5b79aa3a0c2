import { ToolSilence } from '../transfer-tool.ts';
import { type FtsCaller, type FtsClient, FtsError } from './fts-client.ts';

/** A token, and the server that knows whose it is. */
interface TokenAtHost {
  readonly host: string;
  readonly token: string;
}

/** The identities of callers at FTS servers. A server is asked once for each token, until the answer is forgotten. */
export class FtsCallers {
  readonly #asked = new Map<string, Promise<FtsCaller>>();

  /** @throws ToolSilence if the server does not answer. */
  async ask(who: TokenAtHost, client: FtsClient): Promise<FtsCaller> {
    const key = keyOf(who);
    const asked = this.#asked.get(key) ?? client.whoAmI();
    this.#asked.set(key, asked);
    try {
      return await asked;
    } catch (error) {
      if (this.#asked.get(key) === asked) this.#asked.delete(key);
      // Some proxies in front of FTS refuse what FTS would take for anonymous.
      if (error instanceof FtsError && (error.status === 401 || error.status === 403))
        return { baseId: '', vo: undefined };
      throw new ToolSilence(error instanceof Error ? error.message : String(error));
    }
  }

  forget(who: TokenAtHost): void {
    this.#asked.delete(keyOf(who));
  }
}

const keyOf = ({ host, token }: TokenAtHost) => `${host} ${token}`;
