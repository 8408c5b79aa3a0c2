import type { LoadClient, LoadRequest } from './client.ts';
import type { Requests } from './requests.ts';

/** Makes the next request of a connection; undefined when there is nothing left to do. */
export type NextRequest = (connection: number) => LoadRequest | undefined;

/** Context in which a row prepares itself. */
export interface RowContext {
  readonly client: LoadClient;
  readonly requests: Requests;
  readonly connections: number;
}

/** An operation to measure. */
export interface Row {
  readonly name: string;
  /** Numbers of connections, if not those of the run. */
  readonly connections?: readonly number[];
  /** Things that one request writes. */
  readonly units?: number;
  /** The least number of requests, however long they take. */
  readonly minRequests?: number;
  /** Whether it is measured for the longer time of a mixed load. */
  readonly isMixed?: boolean;
  /** Makes what the requests need, which is not measured. Such a row is not warmed up: its requests can be used up. */
  readonly prepare?: (context: RowContext) => Promise<NextRequest>;
  /** Makes the requests of a row that needs no preparation. */
  readonly next?: (requests: Requests) => LoadRequest;
}
