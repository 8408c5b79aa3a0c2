/** A row that could not be taken as it is. */
export interface OddRow {
  readonly table: string;
  /** The key of the row. */
  readonly row: string;
  readonly odd: string;
  readonly done: string;
}
