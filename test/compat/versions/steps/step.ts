/** A command of the client as the suite tries it in each version. */

/** A command in both spellings, and what is then said and stored. */
export interface Step {
  /** The action: the name of its row. */
  readonly name: string;
  /**
   * The command in the spelling before `rucio account add`. It is split at blanks; then `{word}` is replaced by what the run
   * knows under that name.
   */
  readonly former: string;
  /** The command in the spelling of today; `{set}` and `{unset}` are the words of the version. */
  readonly today: string;
  /** Whether the exit status is another one than 0; the versions differ in which, and some in whether. */
  readonly exits?: 'badly' | 'either';
  /** A pattern of the output or the log; the group of an expression is kept under the name `keeps`. */
  readonly says: readonly RegExp[];
  readonly keeps?: string;
  /** Whether the client logs in anew. */
  readonly isFresh?: boolean;
  /** Path that is read then; without `holds` the answer is 404. */
  readonly reads: string;
  /** A line of the answer, or part of one. */
  readonly holds?: unknown;
  /** A line that the answer has no longer. */
  readonly lacks?: unknown;
  /** A local file with the content of the uploaded one. */
  readonly copy?: string;
}
