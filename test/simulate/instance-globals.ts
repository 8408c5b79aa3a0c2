import { AsyncLocalStorage } from 'node:async_hooks';
import { createHmac, scryptSync, timingSafeEqual, webcrypto } from 'node:crypto';
import * as nodeCrypto from 'node:crypto';
import { createRequire } from 'node:module';
import * as nodeOs from 'node:os';
import * as nodeZlib from 'node:zlib';

import type { Input } from '../../local/engine/src/testing/faults.ts';
import type { Answer } from '../../local/engine/src/transport.ts';
import { MachineClocks } from './machine-clocks.ts';
import { Random } from './random.ts';
import { type Event, type Owner, Scheduler } from './scheduler.ts';
import type { StorageRequest } from './storage.ts';

/** Replacements of the globals of the process in an instance: clock, random numbers, and the connection to the table. */
export interface InstanceGlobals {
  readonly require: (name: string) => unknown;
  readonly globals: Readonly<Record<string, unknown>>;
}

/** The libraries of the service by the names of their modules. */
export type Libraries = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** The instance whose globals are replaced. */
export interface GlobalsOwner extends Owner {
  readonly scheduler: Scheduler;
  readonly clocks: MachineClocks;
  /** The current source of random numbers. */
  readonly random: Random;
  /** Sends a request to the table. */
  readonly send: (operation: string, input: Input) => Promise<Answer>;
  /** Sends a request to a storage. */
  readonly fetch: (url: string, init: Omit<StorageRequest, 'url'>) => Promise<Response>;
  readonly environment: Readonly<Record<string, string>>;
}

const load = createRequire(import.meta.url);

/** The instance whose code runs. */
const current = new AsyncLocalStorage<GlobalsOwner>();

/** Runs code of an instance: libraries take their clock, random numbers and timers from it. */
export function runInInstance<T>(owner: GlobalsOwner, work: () => T): T {
  return current.run(owner, work);
}

/** Makes the clock, random numbers and connections of an instance: nothing in it depends on the simulating process. */
export function makeInstanceGlobals(owner: GlobalsOwner): InstanceGlobals {
  return makeGlobals(() => owner, owner.send);
}

/** Makes the globals of libraries that all instances share. */
export function librariesGlobals(): InstanceGlobals {
  return makeGlobals(() => current.getStore() ?? noInstance);
}

/** Owns what libraries do while they are evaluated. */
const noInstance: GlobalsOwner = {
  scheduler: new Scheduler(0),
  clocks: new MachineClocks(new Scheduler(0), 0),
  random: new Random('libraries'),
  send: () => Promise.reject(new Error('no instance sends this')),
  fetch: () => Promise.reject(new Error('no instance sends this')),
  environment: {},
  isGone: false,
  isHeld: false,
  keep: () => {},
};

function makeGlobals(find: () => GlobalsOwner, send?: GlobalsOwner['send']): InstanceGlobals {
  const clock = () => find().clocks.wall;
  const timers = makeTimers(find);
  const crypto = makeCrypto(find);
  const globals = {
    ...timers,
    Date: makeDate(clock),
    Math: Object.create(Math, { random: { value: () => find().random.next() } }) as Math,
    performance: {
      now: () => find().clocks.steady,
      get timeOrigin() {
        return find().clocks.origin;
      },
    },
    crypto: { ...crypto, subtle, getRandomValues: crypto.webcrypto.getRandomValues },
    process: Object.create(process, { env: { get: () => find().environment } }) as NodeJS.Process,
    instanceSend: send,
    fetch: (url: string, init: Omit<StorageRequest, 'url'>) => find().fetch(url, init),
    serverTime: () => find().scheduler.now,
  };
  const modules: Readonly<Record<string, unknown>> = {
    crypto,
    os: { ...nodeOs, uptime: () => find().clocks.uptime / 1_000 },
    // The SDK looks for configuration files of the user; reading them would take real time.
    'fs/promises': { readFile: () => Promise.reject(Object.assign(new Error('no such file'), { code: 'ENOENT' })) },
    'timers/promises': makePromisedTimers(timers.setTimeout),
    timers,
    zlib: {
      ...nodeZlib,
      gzip: inOneTurn(nodeZlib.gzipSync),
      gunzip: inOneTurn(nodeZlib.gunzipSync),
      brotliDecompress: inOneTurn(nodeZlib.brotliDecompressSync),
    },
  };
  return {
    require: (name) => modules[name.replace(/^node:/, '')] ?? load(name),
    globals: { ...globals, globalThis: Object.create(globalThis, describeAll(globals)) as object },
  };
}

/** Property descriptors that hide properties of the prototype. */
function describeAll(values: Readonly<Record<string, unknown>>): PropertyDescriptorMap {
  const entries = Object.entries(values);
  return Object.fromEntries(entries.map(([name, value]) => [name, { value, writable: true, configurable: true }]));
}

function makeDate(clock: () => number): DateConstructor {
  return class extends Date {
    constructor(...values: unknown[]) {
      super(...((values.length === 0 ? [Math.floor(clock())] : values) as [number]));
    }

    static override now(): number {
      return Math.floor(clock());
    }
  } as DateConstructor;
}

type Callback = (...values: unknown[]) => void;

/** A timer like Node's, in virtual time. */
class Timer {
  readonly #plan: () => Event;
  event: Event;

  constructor(plan: () => Event) {
    this.#plan = plan;
    this.event = plan();
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  hasRef(): boolean {
    return true;
  }

  refresh(): this {
    this.event.isCancelled = true;
    this.event = this.#plan();
    return this;
  }
}

function makeTimers(find: () => GlobalsOwner) {
  const after = (milliseconds: number, run: () => void) => {
    const owner = find();
    return owner.scheduler.after(milliseconds, () => runInInstance(owner, run), owner);
  };
  const plan = (run: Callback, milliseconds: number | undefined, values: unknown[]) =>
    new Timer(() => after(Math.max(1, milliseconds ?? 1), () => run(...values)));
  const clear = (timer: Timer | undefined) => {
    if (timer !== undefined) timer.event.isCancelled = true;
  };
  return {
    setTimeout: (run: Callback, milliseconds?: number, ...values: unknown[]) => plan(run, milliseconds, values),
    clearTimeout: clear,
    setInterval: (run: Callback, milliseconds?: number, ...values: unknown[]) => {
      const timer: Timer = plan(
        () => {
          timer.refresh();
          run(...values);
        },
        milliseconds,
        [],
      );
      return timer;
    },
    clearInterval: clear,
    setImmediate: (run: Callback, ...values: unknown[]) => new Timer(() => after(0, () => run(...values))),
    clearImmediate: clear,
  };
}

function makePromisedTimers(start: (run: Callback, milliseconds?: number) => Timer) {
  const sleep = (milliseconds?: number, value?: unknown, { signal }: { signal?: AbortSignal } = {}) =>
    new Promise((resolve, reject) => {
      const timer = start(() => resolve(value), milliseconds);
      signal?.addEventListener('abort', () => {
        timer.event.isCancelled = true;
        reject(signal.reason as Error);
      });
    });
  return { setTimeout: sleep, setImmediate: (value?: unknown) => sleep(0, value) };
}

function makeCrypto(find: () => GlobalsOwner) {
  const randomBytes = (size: number) => {
    const bytes = Buffer.alloc(size);
    find().random.fill(bytes);
    return bytes;
  };
  const randomUUID = () => {
    const text = randomBytes(16).toString('hex');
    return `${text.slice(0, 8)}-${text.slice(8, 12)}-4${text.slice(13, 16)}-a${text.slice(17, 20)}-${text.slice(20)}`;
  };
  const getRandomValues = <T extends Uint8Array>(bytes: T): T => {
    find().random.fill(bytes);
    return bytes;
  };
  return {
    ...nodeCrypto,
    randomBytes,
    randomUUID,
    getRandomValues,
    randomInt: (least: number, most?: number) =>
      most === undefined ? find().random.below(least) : least + find().random.below(most - least),
    scrypt: (password: string, salt: Buffer, size: number, options: object, done: (e: null, key: Buffer) => void) =>
      done(null, scryptSync(password, salt, size, options)),
    webcrypto: { ...webcrypto, subtle, getRandomValues },
  };
}

interface HmacKey {
  readonly bytes: Uint8Array;
}

/** Synchronous HMAC: the platform computes signatures in threads, whose order is not deterministic. */
const subtle = {
  importKey: async (
    _format: string,
    bytes: Uint8Array,
    algorithm: { hash: string },
    extractable: boolean,
    usages: [],
  ) => {
    const hash = { name: algorithm.hash };
    const key = { type: 'secret', algorithm: { name: 'HMAC', hash, length: bytes.length * 8 }, extractable, usages };
    return { ...key, bytes, [Symbol.toStringTag]: 'CryptoKey' };
  },
  sign: async (_algorithm: unknown, { bytes }: HmacKey, data: Uint8Array) =>
    new Uint8Array(createHmac('sha256', bytes).update(data).digest()).buffer,
  verify: async (_algorithm: unknown, { bytes }: HmacKey, signature: Uint8Array, data: Uint8Array) => {
    const right = createHmac('sha256', bytes).update(data).digest();
    return right.length === signature.length && timingSafeEqual(right, signature);
  },
};

/** Makes a callback function of a synchronous one. */
function inOneTurn(work: (data: string | Buffer) => Buffer) {
  return (data: string | Buffer, done: (error: Error | null, result?: Buffer) => void) => {
    try {
      done(null, work(data));
    } catch (error) {
      done(error as Error);
    }
  };
}
