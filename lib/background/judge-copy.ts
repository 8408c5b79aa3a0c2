import { clock } from '../clock.ts';
import type { ReportedRequest } from '../contract/schemas/transfer-lease.ts';
import type { LeasedTransfer } from '../domain/requests/lease-transfers.ts';
import { provesContent } from '../movers/mismatch.ts';
import { isOnTape } from '../movers/mover.ts';
import type { PresentFile, ToolState } from '../movers/transfer-tool.ts';

/** A copy is asked about after a quarter of its age, within these bounds. */
export const [shortestWaitSeconds, longestWaitSeconds] = [60, 900];

/** The report of a submitted copy. A copy that the tool has lost is submitted again, and does not count as a failure of the file. */
export function judgeCopy(leased: LeasedTransfer, state: ToolState): ReportedRequest {
  const { transfer } = leased.details;
  const report = { ...transfer.did, lease: leased.lease.id };
  switch (state.state) {
    case 'running':
      return { ...report, state: 'SUBMITTED', seconds: waitOf(clock.now() - (transfer.submittedAt ?? clock.now())) };
    case 'done':
      return { ...report, state: 'DONE', ...(state.bytes === undefined ? {} : { bytes: state.bytes }) };
    case 'failed':
      return isThere(leased, state.present)
        ? { ...report, state: 'DONE' }
        : { ...report, state: 'FAILED', err_msg: state.reason };
    case 'unknown':
      return {
        ...report,
        state: 'QUEUED',
        seconds: shortestWaitSeconds,
        err_msg: `The transfer tool does not know the job ${transfer.externalId}.`,
      };
  }
}

/** Whether a file that was in the way of a copy is that copy: an earlier attempt made it. What is to be replaced never is. */
function isThere(
  { details: { file, destination }, replaces }: LeasedTransfer,
  present: PresentFile | undefined,
): boolean {
  if (present?.bytes === undefined || file === undefined || replaces) return false;
  return provesContent(file, present) && (present.isOnTape || !isOnTape(destination));
}

/** When to ask about a copy of an age in milliseconds again, in seconds. */
function waitOf(ageMs: number): number {
  return Math.round(Math.min(longestWaitSeconds, Math.max(shortestWaitSeconds, ageMs / 4_000)));
}
