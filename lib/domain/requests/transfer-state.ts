import type { RequestState } from '../../contract/schemas/states.ts';
import type { Transfer } from '../../store/entities/transfer.ts';

/** The states that a transfer shows only until its time is over. */
const passingStates: ReadonlySet<Transfer['state']> = new Set([
  'SUBMITTING',
  'WAITING',
  'ONLY_TAPE_SOURCES',
  'MISMATCH_SCHEME',
]);

/**
 * The state of a transfer as requests show it (spec/access.md 6.6). Whether it has sources is known only when they are
 * looked for, so it counts more than what a mover once found.
 *
 * @param hasSources Whether an RSE has the file from which it can be copied.
 * @param now In milliseconds since 1970.
 */
export function stateOfTransfer({ state = 'QUEUED', due }: Transfer, hasSources: boolean, now: number) {
  const isPast = due <= now && passingStates.has(state);
  const shown: keyof typeof RequestState = isPast || state === 'NO_SOURCES' ? 'QUEUED' : state;
  return shown === 'QUEUED' && !hasSources ? 'NO_SOURCES' : shown;
}
