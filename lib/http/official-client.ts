import type { Route } from '../contract/route.ts';
import type { Operation } from './operation.ts';

/** The two operations of a route whose answer Rucio's own clients read differently from all others. */
interface OperationsByClient<R extends Route> {
  readonly official: Operation<R>;
  readonly other: Operation<R>;
}

/** Binds a route to one operation for Rucio's official clients and to another for all other callers. */
export function byClient<R extends Route>({ official, other }: OperationsByClient<R>): Operation<R> {
  return (context, input) => (isOfficialClient(input.headers) ? official : other)(context, input);
}

/**
 * Whether a request comes from Rucio's official client. Applications replace its `User-Agent`, but it always sends the
 * name of the running script.
 */
function isOfficialClient(headers: Readonly<Record<string, string>>): boolean {
  return headers['x-rucio-script'] !== undefined || headers['user-agent']?.startsWith('rucio-clients/') === true;
}
