/** Load of one request of the table on one item, or from one partition of the table or of an index. */
export interface Touch {
  /** The table, or the name of an index. */
  readonly where: string;
  readonly pk: string;
  /** Absent: a query of several items. */
  readonly sk?: string;
  readonly rru: number;
  readonly wru: number;
}

/** Load of one request of a client, or of one run in the background, on the table. */
export interface Trace {
  readonly touches: readonly Touch[];
  /** Requests of the table one after another. */
  readonly trips: number;
}
