/** A row that could not be taken as it is. */
export interface RejectedRow {
  readonly table: string;
  /** The key of the row. */
  readonly row: string;
  readonly reason: string;
  readonly done: string;
}
