import { ReplicaState } from '../../contract/schemas/states.ts';
import type { ReportedRequest, TransferOutcome } from '../../contract/schemas/transfer-lease.ts';
import { findMismatch } from '../../movers/mismatch.ts';
import type { Table } from '../../store/batches/table.ts';
import type { FileDid } from '../../store/entities/did.ts';
import { getFleet } from '../../store/entities/rse-fleet.ts';
import type { Rse } from '../../store/entities/rse.ts';
import { changeTransfer, getTransfers, type Transfer, type TransferPatch } from '../../store/entities/transfer.ts';
import type { Outcome, Write } from '../../store/items/plan.ts';
import { formatDate } from '../../time.ts';
import { missingSource } from '../locks/lock-updates.ts';
import { truncateError } from '../locks/rule-errors.ts';
import { findFiles } from '../replicas/find-dids.ts';
import { noteWaiting, planStates, type StateChange } from '../replicas/plan-states.ts';
import type { AnonymousContext } from '../values/context.ts';
import { isValidDid } from '../values/did-names.ts';
import { formatDid } from '../values/format-did.ts';
import { isolate, leaveOut } from '../values/isolate.ts';
import { findDoubt } from './find-doubt.ts';
import { findPathObstacles } from './reported-paths.ts';

/** The pauses after failed attempts; after one more failure the rule is stuck, as in Rucio. */
const retryDelaysMs = [60_000, 300_000, 900_000];

/** The pause of a transfer for which a mover found no way. */
const noWayDelayMs = 600_000;

/** The pause of a transfer whose report the catalogue could not carry out. */
const refusedDelayMs = 900_000;

/** The reporter of transfers. */
export interface ReportOptions {
  /** The mover is part of Dapple, and has compared the content of its copies. A report of another one has to tell a checksum. */
  readonly isCompared?: boolean;
}

/**
 * Carries out what movers report about transfers to an RSE. A report counts only for the present lease: one that comes late,
 * or again, changes nothing and is answered with the present state of the transfer. One that cannot be carried out, since the
 * item of its file is full, holds up none of the others: its transfer waits, and shows why.
 *
 * Costs a read for each transfer, two for each that ends, and the writes of `PUT /replicas` for those.
 *
 * @param rse The destination.
 */
export async function reportTransfers(
  context: AnonymousContext,
  rse: Rse,
  reports: readonly ReportedRequest[],
  options: ReportOptions = {},
): Promise<TransferOutcome[]> {
  // Of several on one file the first counts.
  const first = [...Map.groupBy(reports, formatDid).values()].flatMap(([report]) => report ?? []);
  const parts = await isolate(first, {
    name: `reports about copies to ${rse.rse}`,
    run: (some) => reportTogether(context, rse, some, options),
    setAside: async (some, error) => {
      await leaveOut(error, undefined);
      const reason = error instanceof Error ? error.message : String(error);
      return reportTogether(context, rse, some, { refusal: `The report could not be carried out. ${reason}` });
    },
    didOf: (report) => report,
  });
  const outcomes = new Map(parts.flat().map((outcome) => [formatDid(outcome), outcome]));
  return reports.flatMap((report) => outcomes.get(formatDid(report)) ?? []);
}

async function reportTogether(
  { store, now }: AnonymousContext,
  rse: Rse,
  reports: readonly ReportedRequest[],
  options: JudgeOptions,
): Promise<TransferOutcome[]> {
  let attempt = 0;
  return store.decide(async (latest) => {
    attempt += 1;
    const [transfers, files, { byName }, obstacles] = await Promise.all([
      getTransfers(latest, reports.filter(isValidDid), rse.id),
      findFiles(latest, reports),
      getFleet(latest),
      findPathObstacles(latest, rse, reports),
    ]);
    const byDid = new Map(transfers.map((transfer) => [formatDid(transfer.did), transfer]));
    const idOf = (name: string) => byName.get(name)?.id;
    const judge = new ReportJudge({ rse, files, transfers: byDid, obstacles, idOf, now }, options);
    const outcomes = reports.map((report) => judge.judge(report));
    return { writes: await judge.writes(latest, attempt), answer: outcomes } satisfies Outcome<TransferOutcome[]>;
  });
}

interface JudgeOptions extends ReportOptions {
  /** Why the reports cannot be carried out: their transfers wait. */
  readonly refusal?: string;
}

interface Known {
  readonly rse: Rse;
  readonly files: ReadonlyMap<string, FileDid>;
  readonly transfers: ReadonlyMap<string, Transfer>;
  /** The obstacles that {@link findPathObstacles} has found. */
  readonly obstacles: ReadonlyMap<string, string>;
  readonly idOf: (rse: string) => string | undefined;
  readonly now: number;
}

/** Decides about the reports of one plan, one on each file, and collects their writes. */
class ReportJudge {
  readonly #known: Known;
  readonly #options: JudgeOptions;
  readonly #changes: StateChange[] = [];
  readonly #writes: Write[] = [];

  constructor(known: Known, options: JudgeOptions) {
    [this.#known, this.#options] = [known, options];
  }

  /** The writes of all outcomes. */
  async writes(latest: Table, attempt: number): Promise<Write[]> {
    const { rse, files, now } = this.#known;
    const changed = new Map(
      this.#changes.flatMap((change) => {
        const file = files.get(formatDid(change));
        return file === undefined ? [] : [[formatDid(file), file] as const];
      }),
    );
    const states = await planStates(latest, { rse, files: changed, changes: this.#changes, attempt, now });
    return [...this.#writes, ...states];
  }

  /** The outcome of a report. */
  judge(report: ReportedRequest): TransferOutcome {
    const { transfers, files } = this.#known;
    const transfer = transfers.get(formatDid(report));
    const file = files.get(formatDid(report));
    const isCopied = file?.replicas.get(this.#known.rse.id)?.state === ReplicaState.COPYING;
    if (transfer === undefined || file === undefined || !isCopied)
      return this.#describe(report, this.#stateWithout(file));
    if (transfer.lease?.id !== report.lease) {
      const isRepeat = transfer.lastLease === report.lease;
      return isRepeat ? this.#describe(report, transfer.state ?? 'QUEUED', transfer) : this.#describe(report, 'LOST');
    }
    const { refusal } = this.#options;
    if (refusal !== undefined) {
      const waiting = {
        state: 'QUEUED' as const,
        due: this.#known.now + refusedDelayMs,
        error: truncateError(refusal),
      };
      return this.#release(transfer, report, { attempts: transfer.attempts, ...waiting });
    }
    switch (report.state) {
      case 'SUBMITTING':
      case 'SUBMITTED':
        return this.#renew(transfer, report);
      case 'DONE': {
        const doubt =
          findMismatch(file, report) ?? this.#known.obstacles.get(formatDid(report)) ?? this.#doubt(file, report);
        return doubt === undefined ? this.#finish(transfer, report) : this.#fail(transfer, report, doubt);
      }
      case 'FAILED':
        return this.#fail(transfer, report, report.err_msg ?? 'The mover gave no reason.');
      case 'QUEUED':
        return this.#release(transfer, report, {
          state: 'QUEUED',
          due: this.#known.now + (report.seconds ?? 0) * 1_000,
          ...errorOf(report),
        });
      case 'NO_SOURCES':
      case 'ONLY_TAPE_SOURCES':
      case 'MISMATCH_SCHEME':
        this.#noteWaiting(file, report);
        return this.#release(transfer, report, {
          state: report.state,
          due: this.#known.now + noWayDelayMs,
          ...errorOf(report),
        });
    }
  }

  #doubt(file: FileDid, report: ReportedRequest): string | undefined {
    return this.#options.isCompared === true ? undefined : findDoubt(file, report, this.#known.rse);
  }

  /** The transfer is over: the replica tells how. */
  #stateWithout(file: FileDid | undefined): TransferOutcome['state'] {
    switch (file?.replicas.get(this.#known.rse.id)?.state) {
      case ReplicaState.AVAILABLE:
        return 'DONE';
      case ReplicaState.UNAVAILABLE:
        return 'FAILED';
      default:
        return 'LOST';
    }
  }

  #renew(transfer: Transfer, report: ReportedRequest): TransferOutcome {
    const { now } = this.#known;
    const until = now + (report.seconds ?? defaultSeconds) * 1_000;
    const { lease = { id: report.lease, holder: '' } } = transfer;
    const isSubmitted = report.state === 'SUBMITTED' || transfer.state === 'SUBMITTED';
    const change = {
      state: isSubmitted ? ('SUBMITTED' as const) : ('SUBMITTING' as const),
      lease: { ...lease, until },
      due: until,
      ...this.#factsOf(transfer, report),
      ...(isSubmitted ? { submittedAt: transfer.submittedAt ?? now } : {}),
      // Before a first failure the error says what the copy waits for.
      ...(transfer.attempts === undefined ? { error: undefined } : {}),
      ...errorOf(report),
      updatedAt: now,
    };
    this.#writes.push(changeTransfer(transfer, change));
    return this.#describe(report, change.state, { ...transfer, ...change });
  }

  #finish(transfer: Transfer, report: ReportedRequest): TransferOutcome {
    const { scope, name } = transfer.did;
    this.#changes.push({ scope, name, state: 'A', ...(report.path === undefined ? {} : { path: report.path }) });
    return this.#describe(report, 'DONE', transfer);
  }

  #fail(transfer: Transfer, report: ReportedRequest, reason: string): TransferOutcome {
    const { now } = this.#known;
    const attempts = (transfer.attempts ?? 0) + 1;
    const error = truncateError(reason);
    const sourceId = this.#factsOf(transfer, report).sourceId;
    const delay = retryDelaysMs[attempts - 1];
    if (delay === undefined) {
      const { scope, name } = transfer.did;
      this.#changes.push({ scope, name, state: 'U', error_message: error, failure: { attempts, sourceId } });
      return this.#describe(report, 'FAILED', { ...transfer, attempts, error });
    }
    const failures = sourceId === undefined ? {} : { [sourceId]: (transfer.failures?.[sourceId] ?? 0) + 1 };
    const change = {
      state: 'QUEUED' as const,
      due: now + delay,
      attempts,
      error,
      failures: { ...transfer.failures, ...failures },
      sourceId,
    };
    return this.#release(transfer, report, change);
  }

  /** The rules that wait for the copy say why it is not made. */
  #noteWaiting(file: FileDid, { state, err_msg: reason }: ReportedRequest): void {
    const change = noteWaiting(file, this.#known.rse.id, reason ?? (state === 'NO_SOURCES' ? missingSource : state));
    if (change !== undefined) this.#changes.push(change);
  }

  /** Ends the lease of a transfer that is not over. */
  #release(
    transfer: Transfer,
    report: ReportedRequest,
    change: TransferPatch & { readonly due: number; readonly state: NonNullable<Transfer['state']> },
  ): TransferOutcome {
    const ended = { lease: undefined, lastLease: report.lease, silent: undefined };
    // The next attempt begins anew.
    const submission = { submittedAt: undefined, externalId: undefined, externalHost: undefined };
    this.#writes.push(changeTransfer(transfer, { ...ended, ...submission, ...change, updatedAt: this.#known.now }));
    return this.#describe(report, change.state, { attempts: transfer.attempts, ...change });
  }

  /** Facts that the mover reports now or has reported before. */
  #factsOf(transfer: Transfer, report: ReportedRequest) {
    const { idOf } = this.#known;
    return {
      sourceId: (report.source_rse === undefined ? undefined : idOf(report.source_rse)) ?? transfer.sourceId,
      externalId: report.external_id ?? transfer.externalId,
      externalHost: report.external_host ?? transfer.externalHost,
    };
  }

  #describe(
    { scope, name, lease }: ReportedRequest,
    state: TransferOutcome['state'],
    { attempts, due, error }: Pick<TransferPatch, 'attempts' | 'due' | 'error'> = {},
  ): TransferOutcome {
    const isOver = state === 'DONE' || state === 'FAILED' || state === 'LOST';
    return {
      scope,
      name,
      lease,
      state,
      retry_count: attempts ?? 0,
      next_at: isOver || due === undefined ? null : formatDate(due),
      err_msg: error ?? null,
    };
  }
}

const errorOf = ({ err_msg: error }: ReportedRequest) => (error === undefined ? {} : { error: truncateError(error) });

/** How long a lease holds when the mover does not say. */
const defaultSeconds = 600;
