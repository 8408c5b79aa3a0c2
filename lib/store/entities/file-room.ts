import type { DidKey } from '../../contract/schemas/did.ts';
import { RucioError } from '../../errors.ts';
import { itemSize } from '../items/item-size.ts';
import { metadataAttributes } from './did-metadata.ts';
import type { FileDid, Replica } from './did.ts';
import { bytesOfFreeMetadata, maxUserBytes, reservedBytes } from './user-room.ts';

/* How much of the item of a file is in use, and what still fits. */

/** DynamoDB's limit for an item. */
const maxItemBytes = 400 * 1024;

interface FileSize {
  readonly all: number;
  /** The part of the free metadata. */
  readonly free: number;
}

const sizes = new WeakMap<FileDid, FileSize>();

/** The size of a file in the table in bytes, without its keys. */
export function sizeOfFile(file: FileDid): number {
  return sizesOf(file).all;
}

function sizesOf(file: FileDid): FileSize {
  const known = sizes.get(file);
  if (known !== undefined) return known;
  const { replicas, pending: _pending, unsettled: _unsettled, columns, meta, ...attributes } = file;
  const free = bytesOfFreeMetadata(meta);
  const rest = metadataAttributes({ columns, meta: {} });
  const all = free + itemSize({ ...attributes, ...rest, replicas: Object.fromEntries(replicas) });
  sizes.set(file, { all, free });
  return { all, free };
}

/** A copy without metadata, for callers that keep many in memory; {@link sizeOfFile} stays exact. */
export function withoutMetadata(file: FileDid): FileDid {
  const bare = { ...file, columns: {}, meta: {} };
  sizes.set(bare, sizesOf(file));
  return bare;
}

/**
 * Whether replicas fit on a file, also while the change is staged beside the present values, and leave room for what users may
 * still fill, and for what the service has to write about replicas later.
 */
export function hasRoomFor(file: FileDid, replicas: Iterable<Replica>): boolean {
  const { all, free } = sizesOf(file);
  let size = all + Math.max(0, maxUserBytes - free) + reservedBytes.item + file.replicas.size * reservedBytes.replica;
  for (const replica of replicas) size += itemSize({ replica }) + reservedBytes.replica;
  return size <= maxItemBytes;
}

/** Parts that {@link sizeOfFile} may leave out. */
const uncountedBytes = 1_024;

/** Whether the item of a file may not grow by some bytes. Only imported items can be so full. */
export function isFull(file: FileDid, growth: number): boolean {
  return sizeOfFile(file) + growth > maxItemBytes - uncountedBytes;
}

/** A counter takes a byte more from time to time. */
const counterBytes = 16;

/**
 * How far the item of a file grows while its replicas change one by one. It is followed only where room may be short: in items that
 * were imported, and in those of some 700 replicas.
 */
export class FileGrowth {
  readonly #file: FileDid;
  /** Without it every change is allowed, and none has to be noted. */
  readonly isFollowed: boolean;
  #bytes = 0;

  /** @param file The file as it was read. */
  constructor(file: FileDid) {
    this.#file = file;
    this.isFollowed = isFull(file, file.replicas.size * reservedBytes.replica);
  }

  /** Whether there is room for a replica in place of another. A change by which the item does not grow always fits. */
  allows(before: Replica | undefined, after: Replica): boolean {
    if (!this.isFollowed) return true;
    const growth = this.#bytes + growthOf(before, after);
    return growth + counterBytes <= 0 || !isFull(this.#file, growth);
  }

  /** Notes a change. */
  add(before: Replica | undefined, after: Replica | undefined): void {
    if (this.isFollowed) this.#bytes += growthOf(before, after);
  }
}

function growthOf(before: Replica | undefined, after: Replica | undefined): number {
  return (
    (after === undefined ? 0 : itemSize({ replica: after })) -
    (before === undefined ? 0 : itemSize({ replica: before }))
  );
}

/** The error for a file whose item has no room for more replicas or locks. */
export function makeFullFileError({ scope, name }: DidKey): RucioError {
  const text = `${scope}:${name} holds too much metadata, and too many replicas and locks, for another replica`;
  return new RucioError('PayloadTooLarge', `${text}: its item may take 400 KB.`);
}
