import type { Answer } from './http/answer.ts';

/** Status and time of an answer, and Rucio's error if it is one. */
export function say({ status, headers, endMs }: Answer): string {
  const error = headers['exceptionclass'];
  const message = headers['exceptionmessage'];
  const reason = error === undefined ? '' : ` ${error}${message === undefined ? '' : ` (${message.trim()})`}`;
  return `${status}${reason} after ${milliseconds(endMs)}`;
}

/** A time as people read it. */
export function milliseconds(ms: number): string {
  return ms < 10_000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

/** A size as people read it. */
export function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
