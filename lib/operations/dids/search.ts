import { type Page, type Placed, wholeList } from '../../domain/paging/page.ts';
import type { SearchPlan } from '../../domain/search/choose-plan.ts';
import { findSearchable } from '../../domain/search/index-lists.ts';
import { readSearch } from '../../domain/search/read-search.ts';
import { planSearch, searchDids } from '../../domain/search/search-dids.ts';
import type { Context } from '../../domain/values/context.ts';
import type { Integer } from '../../integer.ts';
import type { Did } from '../../store/entities/did.ts';
import { type Cost, currentMeter } from '../../store/items/meter.ts';

/** The long form of a row (spec/dids.md 3.5). */
interface LongRow {
  readonly scope: string;
  readonly name: string;
  readonly did_type: Did['type'];
  readonly bytes: Integer | null;
  readonly length: Integer | null;
}

/** The plan of a search and what it read. */
interface Explanation {
  readonly plan: SearchPlan[];
  readonly rows: number;
  readonly read: Pick<Cost, 'rru' | 'requests' | 'roundTrips'>;
}

/** Options of a search. All other query parameters are conditions. */
export interface SearchOptions {
  readonly long: boolean;
  readonly recursive: boolean;
  /** Answer the plan and its cost instead of the rows. */
  readonly explain: boolean;
}

/**
 * Searches a scope (spec/dids.md 3).
 *
 * @param parameters The query parameters.
 * @returns Names, or objects in the long form.
 * @throws DIDFilterSyntaxError (400); KeyNotFound (404); UnsupportedOperation (409).
 */
export async function* search(
  context: Context,
  scope: string,
  parameters: Readonly<Record<string, string>>,
  { long, recursive, explain }: SearchOptions,
  page: Page = wholeList,
): AsyncGenerator<Placed<string | LongRow | Explanation>> {
  const groups = readSearch(parameters);
  const searchable = await findSearchable(context.store.table, scope, groups);
  const mode = { recursive, page, searchable, sizes: long };
  let rows = 0;
  for await (const { row, position } of searchDids(context, scope, groups, mode)) {
    if (!explain) yield { row: long ? toLongRow(row) : row.name, position };
    rows += 1;
    if (explain && rows === page.limit) break;
  }
  if (!explain) return;
  const { rru = 0, requests = 0, roundTrips = 0 } = currentMeter()?.total() ?? {};
  const plan = planSearch(groups, mode).map((chosen) => chosen.plan);
  yield { row: { plan, rows, read: { rru, requests, roundTrips } }, position: undefined };
}

function toLongRow(did: Did): LongRow {
  const { scope, name, type } = did;
  const sizes =
    did.type === 'FILE'
      ? { bytes: did.bytes ?? null, length: null }
      : { bytes: did.bytes ?? 0, length: did.length ?? 0 };
  return { scope, name, did_type: type, ...sizes };
}
