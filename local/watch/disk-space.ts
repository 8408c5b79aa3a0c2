import { statfsSync } from 'node:fs';

import { type RucioError, storageFull } from '../../lib/errors.ts';

/** Free and whole space of a disk, in bytes. */
export interface Space {
  readonly free: number;
  readonly size: number;
}

/** How a disk is watched. */
export interface DiskOptions {
  /** A folder on the disk. */
  readonly folder: string;
  /** Bytes that requests leave free; absent: 256 MB, at most a twentieth of the disk. */
  readonly reserve?: number | undefined;
  readonly say: (line: string) => void;
  readonly measure?: ((folder: string) => Space) | undefined;
}

const megabyte = 1_000_000;
const defaultReserve = 256 * megabyte;
const maxReservePart = 0.05;

/** From so many times the reserve on the disk is nearly full. */
const nearlyFull = 4;

/** Requests look at the disk at most once in this time. */
const lookMs = 250;

/** How much of a disk is left, in steps that are told. */
type Level = 'enough' | 'little' | 'none';

/**
 * Watches the disk of a data folder. What is kept free is for deletions and for work under way, which write too: a disk
 * that is full to the last byte could not be freed by the catalogue itself.
 */
export class DiskSpace {
  readonly #options: DiskOptions;
  readonly #measure: (folder: string) => Space;
  #space: Space = { free: Number.POSITIVE_INFINITY, size: Number.POSITIVE_INFINITY };
  #level: Level = 'enough';
  #lookedAt = Number.NEGATIVE_INFINITY;

  constructor(options: DiskOptions) {
    this.#options = options;
    this.#measure = options.measure ?? measureDisk;
  }

  /** The space as it was seen within the last quarter of a second. */
  get space(): Space {
    this.look();
    return this.#space;
  }

  /** Bytes that requests leave free. */
  get reserve(): number {
    return this.#options.reserve ?? Math.min(defaultReserve, this.#space.size * maxReservePart);
  }

  /** The refusal of a request that stores something; undefined while there is space. */
  get refusal(): RucioError | undefined {
    this.look();
    if (this.#level !== 'none') return undefined;
    return storageFull(
      `The disk of ${this.#options.folder} has ${inMegabytes(this.#space.free)} free. Nothing is stored below ` +
        `${inMegabytes(this.reserve)}; reads and deletions go on.`,
    );
  }

  /** In a sentence, that there is little space or none; undefined: there is enough. */
  get problem(): string | undefined {
    this.look();
    if (this.#level === 'enough') return undefined;
    const text = this.#describe(this.#level);
    return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
  }

  /** Looks at the disk, and tells when it gets full, and when it is freed. */
  look(): void {
    const now = performance.now();
    if (now - this.#lookedAt < lookMs) return;
    this.#lookedAt = now;
    this.#space = this.#measure(this.#options.folder);
    const level = this.#find();
    if (level === this.#level) return;
    this.#level = level;
    this.#options.say(this.#describe(level));
  }

  #find(): Level {
    const { free } = this.#space;
    if (free < this.reserve) return 'none';
    return free < this.reserve * nearlyFull ? 'little' : 'enough';
  }

  #describe(level: Level): string {
    const disk = `the disk of ${this.#options.folder} has ${inMegabytes(this.#space.free)} free`;
    const bound = inMegabytes(this.reserve);
    if (level === 'enough') return `${disk}: that is enough again`;
    return level === 'little'
      ? `${disk}: below ${bound} nothing is stored any more`
      : `${disk}: nothing is stored until ${bound} are free; reads and deletions go on`;
  }
}

function measureDisk(folder: string): Space {
  // What only root may use does not count.
  const { bavail, blocks, bsize } = statfsSync(folder);
  return { free: bavail * bsize, size: blocks * bsize };
}

const inMegabytes = (bytes: number) => `${Math.floor(bytes / megabyte)} MB`;
