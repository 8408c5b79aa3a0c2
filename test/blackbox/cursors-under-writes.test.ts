/**
 * Walks lists page by page while other requests change them. `CURSOR_SEED` says what they change, and in which order; a
 * failure prints it.
 */
import { beforeAll, describe, expect, it } from 'vitest';

import { asRoot, newScope, uniqueName } from '../support/server.ts';
import { seedFrom } from '../support/volume.ts';
import { walk } from '../support/walk.ts';

const root = asRoot();
const seed = seedFrom('CURSOR_SEED');
const limit = 3;

interface Row {
  readonly scope: string;
  readonly name: string;
  readonly parent?: object | null;
  readonly level?: number;
}

/** Numbers below a bound that follow from a seed (mulberry32). */
function random(from: number): (below: number) => number {
  let state = from >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

let rse: string;
beforeAll(async () => {
  rse = uniqueName('disk').toUpperCase();
  await root.post(`/rses/${rse}`);
});

const send = async (answer: Promise<{ status: number; text: string }>) => {
  const { status, text } = await answer;
  if (status >= 400) throw new Error(`${status} ${text}`);
};

/** A scope in which some DIDs stay and others come and go; the names of both are spread over the whole order. */
class ChangingScope {
  readonly scope: string;
  readonly #next: (below: number) => number;
  readonly #loose = new Set<string>();
  readonly #attached = new Set<string>();
  #made = 0;

  constructor(scope: string, next: (below: number) => number) {
    this.scope = scope;
    this.#next = next;
  }

  /** A new name, anywhere in the order. */
  name(kind: string): string {
    this.#made += 1;
    return `${String(this.#next(1000)).padStart(3, '0')}.${kind}.${this.#made}`;
  }

  at = (name: string, tail = '') => `/dids/${this.scope}/${name}${tail}`;
  named = (names: readonly string[]) => ({ dids: names.map((name) => ({ scope: this.scope, name })) });

  async addDataset(name: string, files: readonly string[]): Promise<void> {
    const dids = files.map((file) => ({ scope: this.scope, name: file, bytes: 1 }));
    await send(root.post(this.at(name), { type: 'DATASET', dids, rse }));
  }

  /** Changes the dataset `ds` or the container `cont`, or adds DIDs to the scope. */
  async change(): Promise<void> {
    const chosen = [...this.#attached].filter(() => this.#next(4) === 0);
    switch (this.#next(4)) {
      case 0: {
        const files = Array.from({ length: 1 + this.#next(8) }, () => this.name('file'));
        await send(root.post(this.at('ds', '/dids'), { ...this.sized(files), rse }));
        for (const file of files) this.#attached.add(file);
        return;
      }
      case 1:
        if (chosen.length === 0) return;
        await send(root.delete(this.at('ds', '/dids'), this.named(chosen)));
        for (const file of chosen) this.#attached.delete(file);
        return;
      case 2: {
        const name = this.name('dataset');
        await this.addDataset(name, [this.name('inside'), this.name('inside')]);
        await send(root.post(this.at('cont', '/dids'), this.named([name])));
        this.#loose.add(name);
        return;
      }
      default: {
        const [name] = this.#loose;
        if (name === undefined) return;
        await send(root.delete(this.at('cont', '/dids'), this.named([name])));
        this.#loose.delete(name);
      }
    }
  }

  sized = (names: readonly string[]) => ({ dids: names.map((name) => ({ scope: this.scope, name, bytes: 1 })) });
}

/** A scope with a dataset `ds`, a container `cont` of datasets, and collections beside them, all of which stay. */
async function newChangingScope(ownSeed: number): Promise<{ place: ChangingScope; lasting: Record<string, string[]> }> {
  const place = new ChangingScope(await newScope(), random(ownSeed));
  const files = Array.from({ length: 16 }, () => place.name('lasting'));
  await place.addDataset('ds', files);
  const inside: string[] = [];
  const datasets: string[] = [];
  for (let index = 0; index < 4; index += 1) {
    const own = Array.from({ length: 4 }, () => place.name('kept'));
    const name = place.name('held');
    await place.addDataset(name, own);
    inside.push(...own);
    datasets.push(name);
  }
  await send(root.post(place.at('cont'), { type: 'CONTAINER', ...place.named(datasets) }));
  const alone = Array.from({ length: 8 }, () => place.name('alone'));
  for (const name of alone) await send(root.post(place.at(name), { type: 'CONTAINER' }));
  return { place, lasting: { files, inside, datasets, alone } };
}

/** Changes DIDs until a walk is over, at least once between two pages; returns the rows. */
async function walkAmongChanges(place: ChangingScope, path: string): Promise<Row[]> {
  const walking = new AbortController();
  let change = place.change();
  const changing = (async () => {
    while (!walking.signal.aborted) {
      await change;
      change = place.change();
    }
    await change;
  })();
  try {
    const pages = await walk(root, path, limit, undefined, () => change);
    return pages.flat() as Row[];
  } finally {
    walking.abort();
    await changing;
  }
}

describe(`a walk by ${limit} rows among other requests (CURSOR_SEED=${seed})`, () => {
  it.each([
    ['the content of a dataset', '/ds/dids', 'files'],
    ['the files of a dataset', '/ds/files', 'files'],
    ['the content of a container', '/cont/dids', 'datasets'],
    ['the files of a container', '/cont/files', 'inside'],
    ['a scope', '/', 'alone'],
    ['a scope through all levels', '/?recursive=1', 'files'],
    ['a search of the scope', '/dids/search?type=all', 'inside'],
  ])(
    'through %s shows no row twice and misses none that exists all the time',
    async (what, path, kind) => {
      const { place, lasting } = await newChangingScope(seed + what.length);
      const rows = await walkAmongChanges(place, `/dids/${place.scope}${path}`);
      // A list with parents has a row for each attachment: a moved DID is another row.
      const keys = rows.map((row) => JSON.stringify(typeof row === 'string' ? row : [row.level, row.parent, row.name]));
      const names = new Set(rows.map((row) => (typeof row === 'string' ? row : row.name)));
      expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
      expect(lasting[kind]?.filter((name) => !names.has(name))).toEqual([]);
    },
    60_000,
  );
});
