import type { Integer } from '../../integer.ts';
import { type Cost, currentMeter } from '../../store/meter.ts';
import type { Did } from '../../store/entities/did.ts';
import type { Context } from '../context.ts';
import { choosePlan } from './plan.ts';
import { readSearch } from './query.ts';
import { searchDids } from './search-dids.ts';

/** The long form of a row (spec/dids.md 3.5). */
interface LongRow {
  readonly scope: string;
  readonly name: string;
  readonly did_type: Did['type'];
  readonly bytes: Integer | null;
  readonly length: Integer | null;
}

/** How a search was carried out. */
interface Explanation {
  readonly plan: { readonly source: string; readonly name?: string; readonly prefix?: string }[];
  readonly rows: number;
  readonly read: Pick<Cost, 'rru' | 'requests' | 'roundTrips'>;
}

/** Options of a search; what else the query holds are conditions. */
export interface SearchOptions {
  readonly long: boolean;
  readonly recursive: boolean;
  /** Answer the plan and what it read, instead of the rows. */
  readonly explain: boolean;
}

/**
 * Searches a scope (spec/dids.md 3).
 *
 * @param parameters The query as it came.
 * @returns Names, or objects in the long form.
 * @throws DIDFilterSyntaxError, ValueError (400); KeyNotFound (404); UnsupportedOperation (409).
 */
export async function* search(
  context: Context,
  scope: string,
  parameters: Readonly<Record<string, string>>,
  { long, recursive, explain }: SearchOptions,
): AsyncGenerator<string | LongRow | Explanation> {
  const query = readSearch(parameters);
  let rows = 0;
  for await (const did of searchDids(context, scope, query, recursive)) {
    rows += 1;
    if (!explain) yield long ? toLongRow(did) : did.name;
  }
  if (!explain) return;
  const { rru = 0, requests = 0, roundTrips = 0 } = currentMeter()?.total() ?? {};
  yield { plan: query.groups.map(choosePlan), rows, read: { rru, requests, roundTrips } };
}

function toLongRow({ scope, name, type, bytes, length }: Did): LongRow {
  const files = type === 'FILE' ? null : (length ?? 0);
  return { scope, name, did_type: type, bytes: bytes ?? (type === 'FILE' ? null : 0), length: files };
}
