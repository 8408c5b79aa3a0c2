import type { Store } from '../store/open-store.ts';
import type { Exchange, GatewayAnswer } from './exchange.ts';
import { performOnce } from './perform-once.ts';
import { type Watch, watchReads } from './preconditions.ts';

/** The decision of an operation, and how its answer is completed. */
interface PerformedRequest {
  readonly decided: unknown;
  /** Adds the headers of a repeated request, and the `ETag` of what was read, or makes the answer a 304. */
  readonly complete: (answer: GatewayAnswer) => Promise<GatewayAnswer>;
}

/**
 * Carries out the operation of a request, at most once for each idempotency key, under its preconditions.
 *
 * @param perform Carries the operation out through a store and returns its decision.
 * @throws The errors of {@link performOnce}.
 */
export async function performRequest(
  exchange: Exchange,
  perform: (store: Store) => Promise<unknown>,
): Promise<PerformedRequest> {
  let watch: Watch | undefined;
  const { decided, headers } = await performOnce(exchange, async (store) => {
    watch = watchReads(exchange, store);
    return perform(watch.store);
  });
  const complete = async (answer: GatewayAnswer) => {
    Object.assign(answer.headers, headers);
    return (await watch?.addTag(answer)) ?? answer;
  };
  return { decided, complete };
}
