import { localClient } from '../../local/local-client.ts';
import { type LocalEngine, openEngine } from '../../local/open-engine.ts';
import { createTable } from '../../local/table.ts';
import { UsageError } from '../rucio/source.ts';
import { hasChanged, hasItems, sendAll, switchStream } from './engine-table.ts';
import type { ItemKey, PreparedItem } from './prepared-item.ts';
import type { Target } from './target.ts';
import { deleteRequests, putRequests } from './write-requests.ts';

/**
 * The data folder of a local server, which must not run. While it is being filled its table has no stream: nothing reacts to
 * the items, and no records of them are kept.
 */
export class DataFolder implements Target {
  readonly address: string;
  readonly progress = '';
  readonly #folder: string;
  readonly #tableName: string;
  #engine: LocalEngine | undefined;

  constructor(folder: string, tableName: string) {
    this.address = `the data folder ${folder}`;
    this.#folder = folder;
    this.#tableName = tableName;
  }

  async open(progress: string | undefined): Promise<void> {
    this.#engine = openFolder(this.#folder);
    const { client: options, transport } = this.#engine;
    const client = localClient(options);
    await createTable(client, this.#tableName, { stream: false });
    client.destroy();
    if (progress === undefined && (await hasItems(transport, this.#tableName))) {
      throw new UsageError(
        `The data folder ${this.#folder} holds a catalogue that this import has not begun. Name a new folder.`,
      );
    }
    if (await hasChanged(transport, this.#tableName)) {
      throw new UsageError(
        `A server has changed the catalogue in ${this.#folder} since it was imported. Import into a new folder.`,
      );
    }
    await switchStream(transport, this.#tableName, false);
  }

  async put(items: readonly PreparedItem[]): Promise<void> {
    await sendAll(this.#open.transport, putRequests(this.#tableName, items));
  }

  async delete(keys: readonly ItemKey[]): Promise<void> {
    await sendAll(this.#open.transport, deleteRequests(this.#tableName, keys));
  }

  async settle(): Promise<boolean> {
    return true;
  }

  async finish(): Promise<void> {
    await switchStream(this.#open.transport, this.#tableName, true);
  }

  async close(): Promise<void> {
    this.#engine?.close();
    this.#engine = undefined;
  }

  get #open(): LocalEngine {
    if (this.#engine === undefined) throw new Error('the data folder is not open');
    return this.#engine;
  }
}

function openFolder(folder: string): LocalEngine {
  try {
    return openEngine(folder);
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}
