import type { DidKey } from '../../contract/schemas/did.ts';
import type { Table } from '../batches/table.ts';
import type { Change, Insert } from '../items/plan.ts';
import { attributesReader, hasShape, isFlag, isNumber, isText, optional } from '../items/read-attributes.ts';
import { replicaKeys } from '../keys/replica-keys.ts';

/** The last replica that was checked: the content of an RSE is sorted by shard, then by file. */
export interface FillPosition {
  readonly rseId: string;
  readonly shard: number;
  /** Absent: none of the shard. */
  readonly did?: DidKey;
}

/** How far the list of what may be deleted has been filled with the replicas that older versions of Dapple have written. */
export interface FillState {
  /** When a version that keeps the list first ran, in milliseconds since 1970. */
  readonly since: number;
  readonly done?: boolean;
  readonly position?: FillPosition;
  /** Counts the changes of the state. */
  readonly version: number;
}

/** The stored state; undefined: no version that keeps the list has run yet. */
export async function getFillState(table: Table): Promise<FillState | undefined> {
  const item = await table.get(replicaKeys.deletableState);
  return item === undefined ? undefined : readState(item);
}

/**
 * The write that changes the state.
 *
 * @param former The state that it follows; undefined when there is none yet.
 * @param onOvertaken Makes the error when the stored state is another one.
 */
export function putFillState(
  next: Omit<FillState, 'version'>,
  former: FillState | undefined,
  onOvertaken: () => Error,
): Insert | Change {
  const version = (former?.version ?? 0) + 1;
  const key = replicaKeys.deletableState;
  if (former === undefined) return { kind: 'insert', item: { ...key, ...next, version }, onExists: onOvertaken };
  const patch = { set: { ...next, version }, ...(next.position === undefined ? { remove: ['position'] } : {}) };
  return { kind: 'change', key, patch, when: { version: former.version }, onMismatch: onOvertaken };
}

const isDid = /* @__PURE__ */ hasShape<DidKey>({ scope: isText, name: isText });

const isPosition = /* @__PURE__ */ hasShape<FillPosition>({
  rseId: isText,
  shard: isNumber,
  did: /* @__PURE__ */ optional(isDid),
});

const readState = /* @__PURE__ */ attributesReader<FillState>({
  since: isNumber,
  done: /* @__PURE__ */ optional(isFlag),
  position: /* @__PURE__ */ optional(isPosition),
  version: isNumber,
});
