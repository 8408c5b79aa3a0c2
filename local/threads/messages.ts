import type { RequestRecord } from '../../lib/http/request-log.ts';
import type { Metadata } from '../answer-sink.ts';
import type { Answer } from '../engine/src/transport.ts';

/*
 * Each thread has a clock of its own. The messages after which a thread reads what another has written tell the time of their
 * sender, `time`, below which the clock of the receiver does not stay (lib/clock.ts).
 */

/** Settings of a worker thread. */
export interface WorkerSettings {
  /** The database file of the engine. */
  readonly path: string;
  /** Counts the invalidations of caches in all threads. */
  readonly invalidations: Int32Array<SharedArrayBuffer>;
}

/** Settings of the thread of reactions. */
export interface ReactionSettings extends WorkerSettings {
  readonly tableName: string;
  /** Folder that keeps the position in the table's stream. */
  readonly dataDir?: string;
  /** Folders in which the files of RSEs may be copied. */
  readonly storage?: readonly string[];
}

/** An operation that a thread sends to the engine of the main thread. */
export interface Operate {
  readonly kind: 'operate';
  readonly call: number;
  readonly operation: string;
  readonly body: string;
  readonly time: number;
}

/** The engine's answer to an operation. */
export interface Operated {
  readonly kind: 'operated';
  readonly call: number;
  readonly answer: Answer;
  readonly time: number;
}

/** Messages from the main thread to the thread of reactions. */
export type ToReactions = Operated | { readonly kind: 'committed'; readonly time: number } | { readonly kind: 'stop' };

/** Messages from the thread of reactions to the main thread; `heard` answers `committed`. */
export type FromReactions =
  | Operate
  | { readonly kind: 'heard' | 'stopped' }
  | { readonly kind: 'say'; readonly line: string };

/** A part of an answer, in order. */
export type AnswerPart =
  | { readonly kind: 'begin'; readonly metadata: Metadata }
  | { readonly kind: 'flush' }
  | { readonly kind: 'write'; readonly chunk: Uint8Array }
  | { readonly kind: 'end' }
  | { readonly kind: 'abort' };

/** Messages from the main thread to a worker. */
export type ToWorker =
  /** Run the function of a group; `event` is JSON text. */
  | {
      readonly kind: 'run';
      readonly request: number;
      readonly group: string;
      readonly event: string;
      readonly time: number;
    }
  /** The client has taken that many bytes. */
  | { readonly kind: 'taken'; readonly request: number; readonly bytes: number }
  /** The client has disconnected before the end of the answer. */
  | { readonly kind: 'left'; readonly request: number }
  | Operated;

/** Messages from a worker to the main thread. */
export type ToMain =
  | { readonly kind: 'ready' }
  | { readonly kind: 'parts'; readonly request: number; readonly parts: readonly AnswerPart[] }
  /** A request was answered. */
  | { readonly kind: 'finished'; readonly record: RequestRecord }
  /** The function has ended; `failure` describes its error. */
  | { readonly kind: 'ran'; readonly request: number; readonly failure?: string }
  | Operate;
