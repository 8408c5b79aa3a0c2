import { type LockState, lockStateNames, type ReplicaState, replicaStateNames } from '../../contract/schemas/states.ts';
import { type Item, type Patch, shrinksAttribute, stagedPrefix } from '../items/item.ts';
import {
  hasShape,
  isFlag,
  isInteger,
  isNumber,
  isRecord,
  isText,
  itemReader,
  listOf,
  oneOf,
  optional,
  readAttribute,
  recordOf,
  type Shape,
} from '../items/read-attributes.ts';
import { didKeys, didOf } from '../keys/did-keys.ts';
import { addMetadata, guidIndex, metadataAttributes, newIndex } from './did-metadata.ts';
import type {
  CollectionDid,
  DeletionMark,
  Did,
  FailedCopy,
  FileDid,
  NewCollectionDid,
  NewDid,
  NewFileDid,
  Replica,
  ReplicaLock,
} from './did-types.ts';

/* The item of a DID: its attributes, those of its metadata, and one attribute for each replica of a file. */

/** The prefix of attributes for replicas; the id of the RSE follows. One attribute each, so that each changes alone. */
const replicaPrefix = 'replica:';

/** The name of the attribute that holds the replica on an RSE. */
export function replicaAttribute(rseId: string): string {
  return replicaPrefix + rseId;
}

/** Marks a deleted DID whose content is still being removed; readers ignore it. */
export const hiddenAttribute = 'dying';

/** Whether the item of a DID is hidden: the DID is deleted, and its content is being removed. */
export const isHidden = (item: Item) => item[hiddenAttribute] === true;

/** The item of a new DID. */
export function makeDidItem(did: NewDid): Item {
  const { scope, name, columns, meta } = did;
  return {
    ...didKeys.did({ scope, name }),
    ...(did.type === 'FILE' ? attributesOfFile(did) : attributesOfCollection(did)),
    ...metadataAttributes({ columns, meta }),
  };
}

// A PartiQL statement adds only to an existing attribute: the counters must exist.

function attributesOfFile(file: NewFileDid): Record<string, unknown> {
  const { scope: _scope, name: _name, columns: _columns, meta: _meta, replicas, ...attributes } = file;
  const item: Record<string, unknown> = { ...guidIndex(file, file.guid), ...attributes, rev: 0 };
  for (const [rseId, replica] of replicas) item[replicaAttribute(rseId)] = replica;
  return item;
}

function attributesOfCollection(collection: NewCollectionDid): Record<string, unknown> {
  const { scope: _scope, name: _name, columns, meta: _meta, ...attributes } = collection;
  const index = { ...didKeys.collection(collection), ...newIndex(collection, columns, collection.createdAt) };
  return { ...index, ...attributes, rev: 0, [shrinksAttribute]: 0 };
}

/** When a DID or a replica of it was last changed, in milliseconds since 1970. */
export function changedAt(item: Item): number {
  const times = [item['createdAt'], item['updatedAt'], item['newAt'], item['closedAt']];
  for (const [attribute, value] of Object.entries(item)) {
    if (attribute.startsWith(replicaPrefix)) times.push((value as Replica).createdAt, (value as Replica).updatedAt);
  }
  return Math.max(...times.map((time) => Number(time ?? 0)));
}

/**
 * The least that a DID may have been before it was last changed: without metadata and replicas; open, if it was closed since a time.
 */
export function makeFormerItem(item: Item, since: number): Item {
  const { PK, SK, type, account, createdAt, updatedAt, newAt } = item;
  const wasOpen = Number(item['closedAt'] ?? 0) >= since ? true : item['open'];
  const open = wasOpen === undefined ? {} : { open: wasOpen };
  return { PK, SK, type, account, createdAt, updatedAt, ...(newAt === undefined ? {} : { newAt }), ...open };
}

const optionalText = optional(isText);
const optionalNumber = optional(isNumber);
const optionalFlag = optional(isFlag);
const isTrue = (value: unknown): value is true => value === true;
const optionalInteger = optional(isInteger);

/** Members that have no attribute of the same name. */
type Composed = 'scope' | 'name' | 'columns' | 'meta';

const shapeOfBoth = {
  account: isText,
  createdAt: isNumber,
  newAt: optionalNumber,
  updatedAt: isNumber,
  expiredAt: optionalNumber,
  closedAt: optionalNumber,
  bytes: optionalInteger,
  events: optionalInteger,
  isArchive: optionalFlag,
  constituent: optionalFlag,
};

/** The attributes of a file without its counters. */
export const fileShape: Shape<Omit<NewFileDid, Composed | 'replicas'>> = {
  ...shapeOfBoth,
  type: (value): value is 'FILE' => value === 'FILE',
  adler32: optionalText,
  md5: optionalText,
  guid: optionalText,
  availability: optionalText,
};

/** The attributes of a dataset or container without its counters. */
export const collectionShape: Shape<Omit<NewCollectionDid, Composed>> = {
  ...shapeOfBoth,
  type: oneOf<CollectionDid['type']>({ DATASET: true, CONTAINER: true }),
  open: optionalFlag,
  monotonic: optionalFlag,
  length: optionalInteger,
  accessedAt: optionalNumber,
  eventsCounted: optionalFlag,
};

const counters = { foldedAt: optionalNumber, rev: optionalNumber };

type Assembled = Composed | 'unsettled' | 'pending';

const readFile = itemReader<Omit<FileDid, Assembled | 'replicas'>>({ ...fileShape, ...counters });

const readCollection = itemReader<Omit<CollectionDid, Assembled | 'shrinking'>>({
  ...collectionShape,
  ...counters,
  shrinks: optionalNumber,
});

const isReplica = hasShape<Replica>({
  state: oneOf<ReplicaState>(replicaStateNames),
  until: optionalNumber,
  path: optionalText,
  ownsPath: optional(isTrue),
  account: optionalText,
  createdAt: optionalNumber,
  updatedAt: optionalNumber,
  accessedAt: optionalNumber,
  tombstone: optionalNumber,
  listedAt: optionalNumber,
  deletionError: optionalText,
  mark: optional(
    hasShape<DeletionMark>({
      id: isText,
      from: oneOf<ReplicaState>(replicaStateNames),
      refusals: optionalNumber,
    }),
  ),
  freedBy: optional(listOf(isText)),
  declared: optional(hasShape({ at: isNumber, id: isText })),
  askedBy: optionalText,
  failed: optional(
    hasShape<FailedCopy>({
      attempts: isNumber,
      at: isNumber,
      error: optionalText,
      sourceId: optionalText,
      waits: optional((value): value is true => value === true),
    }),
  ),
  locks: optional(
    recordOf(
      hasShape<ReplicaLock>({
        state: oneOf<LockState>(lockStateNames),
        account: isText,
      }),
    ),
  ),
});

const isPatch = optional(
  hasShape<Patch>({
    set: optional(isRecord),
    add: optional(recordOf(isInteger)),
    remove: optional(listOf(isText)),
    delete: optionalFlag,
    folding: optionalFlag,
  }),
);

/** Reads a DID out of its item; undefined if it is hidden. */
export function toDid(item: Item): Did | undefined {
  return isHidden(item) ? undefined : readDidItem(item);
}

/** Reads a DID out of its item, even if it is hidden. */
export function readDidItem(item: Item): Did {
  return item['type'] === 'FILE' ? readFileItem(item) : readCollectionItem(item);
}

function readFileItem(item: Item): FileDid {
  const replicas = new Map<string, Replica>();
  const unsettled: string[] = [];
  const composed = { ...didOf(item), columns: {}, meta: {}, replicas, unsettled, pending: nothingPending };
  const file = readFile(item, composed, (attribute, value) => {
    if (attribute.startsWith(replicaPrefix)) {
      replicas.set(attribute.slice(replicaPrefix.length), readAttribute(item, attribute, isReplica));
    } else if (attribute.startsWith(stagedPrefix)) unsettled.push(attribute.slice(stagedPrefix.length));
    else addMetadata(composed, attribute, value);
  });
  if (item.gone !== undefined) unsettled.push(item.gone);
  return unsettled.length === 0 ? file : { ...file, pending: listPending(readPatches(item, unsettled)) };
}

function readCollectionItem(item: Item): CollectionDid {
  const unsettled: string[] = [];
  const composed = { ...didOf(item), columns: {}, meta: {}, unsettled, pending: nothingPending };
  const collection = readCollection(item, composed, (attribute, value) => {
    if (attribute.startsWith(stagedPrefix)) unsettled.push(attribute.slice(stagedPrefix.length));
    else addMetadata(composed, attribute, value);
  });
  if (item.gone !== undefined) unsettled.push(item.gone);
  if (unsettled.length === 0) return collection;
  const patches = readPatches(item, unsettled);
  const [shrinking] = Array.from(patches).find(([, { add = {} }]) => add[shrinksAttribute] !== undefined) ?? [];
  return { ...collection, pending: listPending(patches), ...(shrinking === undefined ? {} : { shrinking }) };
}

type Patches = ReadonlyMap<string, Patch>;

/** The staged changes of an item, by batch. A batch that deletes the item has none. */
function readPatches(item: Item, batches: readonly string[]): Patches {
  const patches = new Map<string, Patch>();
  for (const batch of batches) {
    const patch = readAttribute(item, stagedPrefix + batch, isPatch);
    if (patch !== undefined) patches.set(batch, patch);
  }
  return patches;
}

const nothingPending: ReadonlyMap<string, string> = new Map();

/** The attributes that staged changes set or remove, with the batch. */
function listPending(patches: Patches): Map<string, string> {
  const pending = new Map<string, string>();
  for (const [batch, { set = {}, remove = [] }] of patches) {
    for (const attribute of [...Object.keys(set), ...remove]) pending.set(attribute, batch);
  }
  return pending;
}
