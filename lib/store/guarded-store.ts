import { RucioError } from '../errors.ts';
import type { WriteOptions } from './batches/commit.ts';
import type { Table } from './batches/table.ts';
import { type Item, stagedBatches } from './items/item.ts';
import { type Change, Collision, keyOf, LostRace, type Outcome, type Plan, type Write } from './items/plan.ts';
import { textOfKey } from './keys/key-parts.ts';
import type { Store } from './open-store.ts';
import { findResource, type Resource, stateOf, tagOf } from './resource.ts';

/** The condition under which an operation may take effect. */
export interface Guard {
  readonly resource: Resource;
  /** Whether the resource may have this tag. */
  readonly accepts: (tag: string) => boolean;
}

/**
 * The store of a request that depends on the state of a resource (`If-Match`). The first plan of the operation takes effect
 * only in that state: the write of the resource, or else an additional check, has the state as its condition.
 *
 * Its methods throw PreconditionFailed (412) if the resource is in another state or missing; PayloadTooLarge (413) for a
 * plan with more changes than one transaction holds.
 */
export function guardedStore(base: Store, guard: Guard): Store {
  let isDecided = false;
  const decide = async <T>(plan: (latest: Table) => Promise<Outcome<T>>, options: WriteOptions = {}): Promise<T> => {
    if (isDecided) return base.decide(plan, options);
    const answer = await base.decide((latest) => planGuarded(latest, plan, guard), { ...options, isExact: true });
    isDecided = true;
    return answer;
  };
  return {
    ...base,
    write: (plan, options) => decide(async (latest) => ({ writes: await plan(latest), answer: undefined }), options),
    decide,
  };
}

/** Reads the resource first: the operation then reads this state, or a later one, on which the conditions fail. */
async function planGuarded<T>(
  latest: Table,
  plan: (latest: Table) => Promise<Outcome<T>>,
  { resource, accepts }: Guard,
): Promise<Outcome<T>> {
  const found = await findResource(resource, (key) => latest.get(key));
  const { writes, answer } = await plan(latest);
  if (found === undefined) throw makePreconditionError();
  const [batch] = stagedBatches(found);
  if (batch !== undefined) throw new Collision(batch, found);
  if (!accepts(tagOf(found))) throw makePreconditionError();
  return { writes: whileUnchanged(writes, found), answer };
}

/** Adds to writes the condition that the item is still as it was read. */
function whileUnchanged(writes: Plan, item: Item): Write[] {
  const key = textOfKey(item);
  const condition = {
    when: stateOf(item),
    onMismatch: () => new LostRace(`the resource of If-Match was changed concurrently: ${key}`),
  };
  const isOfItem = (write: Write): write is Change => write.kind === 'change' && textOfKey(keyOf(write)) === key;
  const guarded = writes.map((write) =>
    isOfItem(write) ? { ...write, ...condition, when: { ...write.when, ...condition.when } } : write,
  );
  if (writes.some(isOfItem)) return guarded;
  const { PK, SK } = item;
  return [...guarded, { kind: 'change', key: { PK, SK }, patch: { add: { rev: 1 } }, isCheck: true, ...condition }];
}

function makePreconditionError(): RucioError {
  return new RucioError('PreconditionFailed', 'It is not, or no longer, as If-Match says; read it again.');
}
