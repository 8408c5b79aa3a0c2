/** Lists and searches of clients while others write. What they show is judged DID by DID. */
import type { CallLog } from './calls.ts';
import type { ClientRequest } from './client-request.ts';
import type { Send } from './expiring-client.ts';
import type { Reply } from './fleet.ts';
import type { Observation, Value } from './model.ts';
import { pool } from './names.ts';
import { outcomeOf } from './outcome.ts';
import type { Random } from './random.ts';
import { type Row, rowsOf } from './rows.ts';

/** A list or a search, and the names of which its answer is checked. */
export type Read = { readonly samples: readonly string[] } & (
  | { readonly kind: 'content' | 'files' | 'parents'; readonly name: string }
  | { readonly kind: 'meta'; readonly key: string }
  | { readonly kind: 'search'; readonly key: string; readonly value: Value }
);

/** How many names of an answer are checked: each makes more states that the model follows. */
const maxSamples = 3;

/** Draws a list or a search. */
export function drawRead(random: Random, metadata: readonly { readonly key: string; readonly value: Value }[]): Read {
  const { files, many, datasets, containers } = pool;
  const collections = [...datasets, ...containers];
  const kind = random.weighed({ content: 4, files: 4, parents: 2, meta: 3, search: 4 });
  switch (kind) {
    case 'content': {
      const name = random.pick(collections);
      const children = datasets.includes(name) ? [...files, ...many] : collections;
      return { kind, name, samples: random.some(children, maxSamples) };
    }
    case 'files':
      return { kind, name: random.pick(datasets), samples: random.some([...files, ...many], maxSamples) };
    case 'parents': {
      const name = random.pick([...files, ...many, ...datasets]);
      return { kind, name, samples: random.some(datasets.includes(name) ? containers : datasets, maxSamples) };
    }
    case 'meta':
    case 'search': {
      const samples = random.some([...collections, ...files, ...many.slice(0, 10)], maxSamples);
      return { kind, samples, ...random.pick(metadata) };
    }
  }
}

/** Carries out lists and searches. */
export class ReadingClient {
  readonly #scope: string;
  readonly #send: Send;
  readonly #calls: CallLog;
  readonly #indexesLag: boolean;

  /** @param indexesLag Whether answers that rest on a secondary index may be late. */
  constructor(scope: string, send: Send, calls: CallLog, indexesLag: boolean) {
    this.#scope = scope;
    this.#send = send;
    this.#calls = calls;
    this.#indexesLag = indexesLag;
  }

  /** The reply; undefined if none came. */
  async act(read: Read, random: Random): Promise<Reply | undefined> {
    const isLate = this.#indexesLag && (read.kind === 'parents' || read.kind === 'search');
    const observations = isLate ? [] : read.samples.map((sample) => observationOf(read, sample));
    const calls = observations.map((observation) => this.#calls.begin(observation));
    const reply = await this.#send(requestOfRead(this.#scope, read), random);
    const shown = new Map(reply?.status === 200 ? rowsOf(reply).map((row) => [String(row['name']), row]) : []);
    for (const [index, call] of calls.entries()) {
      this.#calls.end(
        call,
        outcomeOf(reply, () => answerOf(read, shown.get(read.samples[index] ?? ''))),
      );
    }
    return reply;
  }
}

function requestOfRead(scope: string, read: Read): ClientRequest {
  switch (read.kind) {
    case 'content':
      return { method: 'GET', path: `/dids/${scope}/${read.name}/dids` };
    case 'files':
    case 'parents':
      return { method: 'GET', path: `/dids/${scope}/${read.name}/${read.kind}` };
    case 'meta': {
      const dids = read.samples.map((name) => ({ scope, name }));
      return { method: 'POST', path: '/dids/bulkmeta', body: { dids, plugin: 'ALL' } };
    }
    case 'search':
      return { method: 'GET', path: `/dids/${scope}/dids/search?type=all&long=true&${read.key}=${read.value}` };
  }
}

function observationOf(read: Read, sample: string): Observation {
  switch (read.kind) {
    case 'content':
    case 'files':
      return { do: 'see content', parent: read.name, child: sample, asked: read.name };
    case 'parents':
      return { do: 'see content', parent: sample, child: read.name, asked: read.name };
    case 'meta':
      return { do: 'see value', name: sample, key: read.key };
    case 'search':
      return { do: 'see match', name: sample, key: read.key, value: read.value };
  }
}

/** The statement of an answer about a name, in the words of the model; `row` is its row. */
function answerOf(read: Read, row: Row | undefined): string {
  if (read.kind !== 'meta') return String(row !== undefined);
  return String((row?.[read.key] as Value | null | undefined) ?? undefined);
}
