import type { Integer } from '../integer.ts';
import type { CopiedContent } from './mismatch.ts';
import type { CopyEnds, CopyJob, StorageRse } from './mover.ts';

/** A tool does not take a copy, or a caller, for now. No attempt was made. Its message is for people. */
export class ToolRefusal extends Error {
  override readonly name = 'ToolRefusal';
}

/** A tool does not answer at all: it is not worth asking again in this run. */
export class ToolSilence extends Error {
  override readonly name = 'ToolSilence';
}

/** The address of a tool to which the tokens of an RSE must not go. */
export class UndeclaredTool extends Error {
  override readonly name = 'UndeclaredTool';
}

/** A copy that a transfer tool is to make. */
export interface ToolJob extends CopyJob {
  /** Identifies the attempt. It stays the same when the attempt is submitted again, so that the tool makes one job of it. */
  readonly attemptId: string;
  readonly did: { readonly scope: string; readonly name: string };
  readonly activity: string;
  /** 1 to 5, the most urgent. */
  readonly priority: number;
}

/** The id of a copy at a tool. */
export interface Submission {
  /** The address of the tool. */
  readonly host: string;
  readonly id: string;
}

/** A file that a tool has found at the destination. */
export interface PresentFile extends CopiedContent {
  /** Whether it is on tape by now. */
  readonly isOnTape: boolean;
}

/** The state of a copy at a tool; `unknown`: the tool does not know it. */
export type ToolState =
  | { readonly state: 'unknown' }
  /** With the size of the copy, if the tool tells. */
  | { readonly state: 'done'; readonly bytes?: Integer | undefined }
  /** With the priority that it has there, if the tool tells. */
  | { readonly state: 'running'; readonly priority?: number | undefined }
  /** With the file that was there already, and in the way. */
  | { readonly state: 'failed'; readonly reason: string; readonly present?: PresentFile | undefined };

/** Copies that go on by themselves once they are submitted, so that any process may ask about them later. */
export interface TransferTool {
  /** The value of the attribute `mover` of the RSEs to which it copies. */
  readonly name: string;
  /** The schemes that it can use at both ends. */
  readonly schemes: readonly string[];
  /** The address of the tool to which copies to an RSE are submitted. */
  findHost(rse: StorageRse): string | undefined;
  /** Why it cannot make a copy, for people; undefined: it can. */
  findObstacle(copy: CopyEnds & CopiedContent): Promise<string | undefined>;
  /**
   * Submits a copy; one of the same attempt that was submitted before is not made again.
   *
   * @throws ToolRefusal, ToolSilence; TransientError: nothing was submitted, for now.
   */
  submit(job: ToolJob, signal: AbortSignal): Promise<Submission>;
  /**
   * Asks about copies to an RSE. A copy about which the tool can tell nothing counts as running.
   *
   * @param ids The ids of copies, from their {@link Submission}.
   * @throws ToolRefusal, ToolSilence, UndeclaredTool; TransientError: it does not answer.
   */
  poll(
    host: string,
    ids: readonly string[],
    to: StorageRse,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, ToolState>>;
  /** Changes the priority of a copy to an RSE. @throws Error if the tool refuses, or does not answer. */
  prioritize(submission: Submission, priority: number, to: StorageRse, signal: AbortSignal): Promise<void>;
  /**
   * Cancels copies to an RSE. Those that are over, or that the tool does not know, stay as they are.
   *
   * @param ids The ids of copies, from their {@link Submission}.
   * @throws ToolRefusal: it does not take the caller. ToolSilence, TransientError: it does not answer. UndeclaredTool, Error: it
   *   never will.
   */
  cancel(host: string, ids: readonly string[], to: StorageRse, signal: AbortSignal): Promise<void>;
}
