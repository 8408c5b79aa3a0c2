import type { CopyEnds, CopyJob, StorageRse } from './mover.ts';

/** A copy that a transfer tool is to make. */
export interface ToolJob extends CopyJob {
  /** The same each time that the same attempt is submitted, so that the tool makes it once. */
  readonly attemptId: string;
  readonly did: { readonly scope: string; readonly name: string };
  readonly activity: string;
  /** 1 to 5, the most urgent. */
  readonly priority: number;
}

/** What a tool calls a copy. */
export interface Submission {
  /** The address of the tool. */
  readonly host: string;
  readonly id: string;
}

/** What became of a copy; `unknown`: the tool does not know it. */
export type ToolState =
  | { readonly state: 'done' | 'unknown' }
  /** With the priority that it has there, if the tool tells. */
  | { readonly state: 'running'; readonly priority?: number | undefined }
  | { readonly state: 'failed'; readonly reason: string };

/** Copies that go on by themselves once they are submitted, so that any process may ask about them later. */
export interface TransferTool {
  /** The value of the attribute `mover` of the RSEs to which it copies. */
  readonly name: string;
  /** The schemes that it can use at both ends. */
  readonly schemes: readonly string[];
  /** Why it cannot make a copy, for people; undefined: it can. */
  findObstacle(ends: CopyEnds): string | undefined;
  /**
   * Submits a copy; one of the same attempt that was submitted before is not made again.
   *
   * @throws Error with a message for people: the tool refuses it. PassingFailure: nothing was submitted, for now.
   */
  submit(job: ToolJob, signal: AbortSignal): Promise<Submission>;
  /**
   * Asks about copies to an RSE.
   *
   * @param ids As of {@link Submission}.
   * @throws Error if the tool does not answer.
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
   * @param ids As of {@link Submission}.
   * @throws Error: the tool refuses. PassingFailure: it does not answer.
   */
  cancel(host: string, ids: readonly string[], to: StorageRse, signal: AbortSignal): Promise<void>;
}
