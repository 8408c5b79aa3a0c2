import { cachePerTable } from '../../cache.ts';
import type { AnonymousContext } from '../../domain/values/context.ts';
import { getFleetState } from '../../store/entities/fleet-version.ts';

/** Outcome of a read of the table. A failure is cached as long as a success: strangers may ask as often as they like. */
type Outcome = { readonly error?: unknown };

/** The last outcome. An instance reads the table once a second at most, however many requests come. */
const outcomes = cachePerTable<Outcome>({ ttlMs: 1_000, maxEntries: 1 });

/**
 * Whether the table answers; one read of one unit a second for each instance.
 *
 * @throws DatabaseException (503) if the table does not answer.
 */
export async function getHealth({ store: { table } }: AnonymousContext): Promise<{ readonly status: 'ok' }> {
  const { error } = await outcomes(table).getOrLoad('', () =>
    getFleetState(table).then(
      () => ({}),
      (reason: unknown) => ({ error: reason }),
    ),
  );
  if (error !== undefined) throw error;
  return { status: 'ok' };
}
