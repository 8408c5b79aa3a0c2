import { clock } from './clock.ts';

/** Options of a cache: how long it keeps values. */
export interface CacheOptions<V> {
  /** How long a value stays valid, from the moment at which its load began. */
  readonly ttlMs: number | ((value: V) => number);
  /** A full cache drops its oldest entry; absent: no limit. */
  readonly maxEntries?: number;
  /** The current time in milliseconds. */
  readonly now?: () => number;
  /**
   * An invalidation in one thread of the process holds in all: `invalidate` empties the caches with this option in the other
   * threads.
   */
  readonly isShared?: boolean;
}

/** Counts the invalidations of shared caches in all threads that share it, and those of this thread. */
let invalidations: Int32Array = new Int32Array(1);
let ownInvalidations = 0;

/** Makes this thread one of those whose shared caches are invalidated together. Call it before caches are used. */
export function shareInvalidations(counter: Int32Array<SharedArrayBuffer>): void {
  invalidations = counter;
}

/** How often all caches of this thread were emptied. */
let forgotten = 0;

/** Empties all caches of this thread, after everything that they may have read was replaced. */
export function forgetCaches(): void {
  forgotten += 1;
}

/** Values by key, for some time and up to some number. Failed loads and undefined values are never cached. */
export class Cache<V> {
  readonly #options: CacheOptions<V>;
  readonly #entries = new Map<string, { readonly value: V; readonly expiresAt: number }>();
  readonly #loads = new Map<string, Promise<V>>();
  #invalidations = 0;
  /** The invalidations of other threads that this cache has followed. */
  #followed = 0;
  #forgotten = forgotten;

  constructor(options: CacheOptions<V>) {
    this.#options = options;
  }

  /** The cached value; undefined where there is none or it has expired. */
  get(key: string): V | undefined {
    this.#follow();
    const entry = this.#entries.get(key);
    return entry !== undefined && this.#now() < entry.expiresAt ? entry.value : undefined;
  }

  /** The cached value, else a loaded one. Concurrent callers share one load. */
  async getOrLoad(key: string, load: () => Promise<V>): Promise<V> {
    const cached = this.get(key);
    if (cached !== undefined) return cached;
    const running = this.#loads.get(key);
    if (running !== undefined) return running;
    const loading = this.reload(key, load).finally(() => {
      if (this.#loads.get(key) === loading) this.#loads.delete(key);
    });
    this.#loads.set(key, loading);
    return loading;
  }

  /** Loads a value in any case and caches it; one that was invalidated during the load is returned only. */
  async reload<R extends V | undefined>(key: string, load: () => Promise<R>): Promise<R> {
    this.#follow();
    const [startedAt, before] = [this.#now(), this.#invalidations];
    const value = await load();
    this.#follow();
    if (value === undefined) this.#entries.delete(key);
    else if (before === this.#invalidations) this.set(key, value, startedAt);
    return value;
  }

  /** Caches a value as of a time, now by default. */
  set(key: string, value: V, loadedAt = this.#now()): void {
    const { ttlMs, maxEntries = Number.POSITIVE_INFINITY } = this.#options;
    this.#entries.delete(key);
    const [oldest] = this.#entries.keys();
    if (oldest !== undefined && this.#entries.size >= maxEntries) this.#entries.delete(oldest);
    this.#entries.set(key, { value, expiresAt: loadedAt + (typeof ttlMs === 'number' ? ttlMs : ttlMs(value)) });
  }

  /** Removes a value, and prevents loads that have begun before from caching their values. */
  invalidate(key: string): void {
    this.#invalidations += 1;
    this.#entries.delete(key);
    this.#loads.delete(key);
    if (this.#options.isShared !== true) return;
    ownInvalidations += 1;
    Atomics.add(invalidations, 0, 1);
  }

  /** Drops everything after an invalidation in another thread, and after all caches were emptied. */
  #follow(): void {
    const latest = this.#options.isShared === true ? Atomics.load(invalidations, 0) - ownInvalidations : 0;
    if (latest === this.#followed && this.#forgotten === forgotten) return;
    this.#followed = latest;
    this.#forgotten = forgotten;
    this.#invalidations += 1;
    this.#entries.clear();
    this.#loads.clear();
  }

  #now(): number {
    return this.#options.now?.() ?? clock.now();
  }
}

/** One cache for each table, so that two tables in one process share nothing. */
export function cachePerTable<V>(options: CacheOptions<V>): (table: { readonly name: string }) => Cache<V> {
  const caches = new Map<string, Cache<V>>();
  return ({ name }) => {
    const cache = caches.get(name) ?? new Cache<V>(options);
    caches.set(name, cache);
    return cache;
  };
}
