import { RucioError } from '../errors.ts';
import type { WriteOptions } from './batches/commit.ts';
import type { Table } from './batches/table.ts';
import { type Item, stagedBatches } from './items/item.ts';
import { type Change, Collision, keyOf, LostRace, type Outcome, type Plan, type Write } from './items/plan.ts';
import { textOfKey } from './keys/key-parts.ts';
import type { Store } from './open-store.ts';
import { findResource, type Resource, stateOf, tagOf } from './resource.ts';

/** What must hold when an operation takes effect. */
export interface Guard {
  readonly resource: Resource;
  /** Whether the resource may be as this tag says. */
  readonly accepts: (tag: string) => boolean;
}

/**
 * The store of a request that depends on the state of a resource: the first plan of the operation takes effect only while
 * that state lasts, by a condition of the very write that changes the resource, or of one that only looks at it.
 *
 * Its methods throw PreconditionFailed (412) where the resource is in another state, or not there; PayloadTooLarge (413)
 * for a plan with more changes than can depend on it.
 */
export function guardedStore(base: Store, guard: Guard): Store {
  let isOver = false;
  const decide = async <T>(plan: (latest: Table) => Promise<Outcome<T>>, options: WriteOptions = {}): Promise<T> => {
    if (isOver) return base.decide(plan, options);
    const answer = await base.decide((latest) => planGuarded(latest, plan, guard), { ...options, isExact: true });
    isOver = true;
    return answer;
  };
  return {
    ...base,
    write: (plan, options) => decide(async (latest) => ({ writes: await plan(latest), answer: undefined }), options),
    decide,
  };
}

/** The resource is read first: what the operation reads is then of this state, or a later one that the writes meet. */
async function planGuarded<T>(
  latest: Table,
  plan: (latest: Table) => Promise<Outcome<T>>,
  { resource, accepts }: Guard,
): Promise<Outcome<T>> {
  const found = await findResource(resource, (key) => latest.get(key));
  const { writes, answer } = await plan(latest);
  if (found === undefined) throw failed();
  const [batch] = stagedBatches(found);
  if (batch !== undefined) throw new Collision(batch, found);
  if (!accepts(tagOf(found))) throw failed();
  return { writes: whileAsRead(writes, found), answer };
}

/** The same writes, none of which takes effect once the item has changed. */
function whileAsRead(writes: Plan, item: Item): Write[] {
  const key = textOfKey(item);
  const condition = {
    when: stateOf(item),
    onMismatch: () => new LostRace(`what a request depends on was changed meanwhile: ${key}`),
  };
  const isOfItem = (write: Write): write is Change => write.kind === 'change' && textOfKey(keyOf(write)) === key;
  const guarded = writes.map((write) =>
    isOfItem(write) ? { ...write, ...condition, when: { ...write.when, ...condition.when } } : write,
  );
  if (writes.some(isOfItem)) return guarded;
  const { PK, SK } = item;
  return [...guarded, { kind: 'change', key: { PK, SK }, patch: { add: { rev: 1 } }, isCheck: true, ...condition }];
}

function failed(): RucioError {
  return new RucioError('PreconditionFailed', 'It is not, or no longer, as If-Match says; read it again.');
}
