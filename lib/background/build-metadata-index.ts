import type { DidKey } from '../contract/schemas/did.ts';
import { saveState } from '../domain/metadata-index/save-state.ts';
import { forEachLimited } from '../parallel.ts';
import type { IndexState, Position } from '../store/entities/index-state.ts';
import { listIndexable, reindexDid } from '../store/entities/metadata-index.ts';
import { listScopes } from '../store/entities/scope.ts';
import { shards } from '../store/keys/key-parts.ts';
import type { Store } from '../store/open-store.ts';

/** DIDs that are looked at between two notes of how far the index has been built. */
const stepLength = 500;

/** How long shards that are shorter than a step go without a note, in milliseconds. */
const noteInterval = 5_000;

/** DIDs whose entries are made at once. */
const parallel = 16;

/** What a run of building has done. */
export interface Built {
  readonly state: IndexState;
  /** Whether every DID was looked at. */
  readonly done: boolean;
  readonly rewritten: number;
}

/**
 * Goes through the DIDs of all scopes, from where the last run has stopped, and makes the entries anew of those whose
 * entries are not what they shall be. How far it has come is noted; what is done twice after a crash does no harm.
 *
 * @param mayGoOn Asked after every step.
 * @throws Overtaken when another run has changed the state.
 */
export async function build(store: Store, from: IndexState, mayGoOn: () => boolean): Promise<Built> {
  let state = from;
  let rewritten = 0;
  let notedAt = performance.now();
  for await (const place of places(store, from.position)) {
    for await (const step of steps(store, place, from)) {
      await makeEntries(store, step.outdated);
      rewritten += step.outdated.length;
      const stops = !mayGoOn();
      if (!stops && step.last && performance.now() < notedAt + noteInterval) continue;
      state = await saveState(store, state, { ...state, position: step.position });
      notedAt = performance.now();
      if (stops) return { state, done: false, rewritten };
    }
  }
  return { state, done: true, rewritten };
}

/** All shards of all scopes, from a position on. */
async function* places(store: Store, from: Position | undefined): AsyncGenerator<Position> {
  const { table } = store.begin();
  for await (const { scope } of listScopes(table, from === undefined ? {} : { from: from.scope })) {
    for (const shard of shards) {
      if (scope === from?.scope && shard < from.shard) continue;
      yield scope === from?.scope && shard === from.shard ? from : { scope, shard };
    }
  }
}

interface Step {
  readonly position: Position;
  readonly outdated: readonly DidKey[];
  /** The shard ends here. */
  readonly last: boolean;
}

async function* steps(store: Store, from: Position, state: IndexState): AsyncGenerator<Step> {
  const { table } = store.begin();
  let outdated: DidKey[] = [];
  let seen = 0;
  let position = from;
  for await (const did of listIndexable(table, from, state)) {
    if (did.outdated) outdated.push(did);
    seen += 1;
    position = { ...from, name: did.name };
    if (seen < stepLength) continue;
    yield { position, outdated, last: false };
    [outdated, seen] = [[], 0];
  }
  yield { position, outdated, last: true };
}

/** One by one: what another request is doing to one of them keeps none of the others waiting. */
async function makeEntries(store: Store, dids: readonly DidKey[]): Promise<void> {
  await forEachLimited(dids, parallel, (did) => makeEntriesOf(store, did));
}

async function makeEntriesOf(store: Store, did: DidKey): Promise<void> {
  try {
    await store.write(async () => [reindexDid(did, () => new Gone())]);
  } catch (error) {
    if (!(error instanceof Gone)) throw error;
  }
}

/** The DID was deleted in the meantime, and its entries with it. */
class Gone extends Error {
  override readonly name = 'Gone';
}
