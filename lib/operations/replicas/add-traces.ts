import { Cache } from '../../cache.ts';
import { readTraces } from '../../domain/traces/read-traces.ts';
import { touchAccessed } from '../../domain/traces/touch-accessed.ts';
import type { AnonymousContext } from '../../domain/values/context.ts';

/** The most notes that one process makes within an hour for traces of one address: traces need no token. */
const maxNotes = 5_000;

/** By address; a full cache forgets the oldest. */
const notes = new Cache<{ count: number }>({ ttlMs: 3_600_000, maxEntries: 10_000 });

/**
 * Notes what traces say was used (spec/access.md 6.3). Traces that say nothing useful are taken, too, as Rucio does.
 *
 * @param address Of the caller.
 */
export async function addTraces(context: AnonymousContext, body: unknown, address: string): Promise<void> {
  const accesses = readTraces(body);
  if (accesses.length === 0) return;
  const noted = notes.get(address) ?? { count: 0 };
  if (noted.count === 0) notes.set(address, noted);
  if (noted.count >= maxNotes) return;
  await touchAccessed(context, accesses, { take: () => (noted.count += 1) <= maxNotes });
}
