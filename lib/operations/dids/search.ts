import { type Page, type Placed, wholeList } from '../../domain/paging/page.ts';
import type { SearchPlan } from '../../domain/search/choose-plan.ts';
import { findSearchable } from '../../domain/search/index-lists.ts';
import { type FilterGroup, readSearch } from '../../domain/search/read-search.ts';
import { planSearch, type SearchMode, searchDids } from '../../domain/search/search-dids.ts';
import type { Context } from '../../domain/values/context.ts';
import type { Integer } from '../../integer.ts';
import { mapRows } from '../../rows/map-rows.ts';
import { openLater } from '../../rows/open-later.ts';
import type { ReadyRows } from '../../rows/ready-rows.ts';
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
export function search(
  context: Context,
  scope: string,
  parameters: Readonly<Record<string, string>>,
  { long, recursive, explain }: SearchOptions,
  page: Page = wholeList,
): ReadyRows<Placed<string | LongRow | Explanation>> {
  return openLater<Placed<string | LongRow | Explanation>>(async () => {
    const groups = readSearch(parameters);
    const searchable = await findSearchable(context.store.table, scope, groups);
    const mode = { recursive, page, searchable, sizes: long };
    const found = searchDids(context, scope, groups, mode);
    if (explain) return [{ row: await explainSearch(found, groups, mode), position: undefined }];
    return mapRows(found, ({ row, position }) => ({ row: long ? toLongRow(row) : row.name, position }));
  });
}

/** Carries out a search, of a page only its rows, and tells what it read. */
async function explainSearch(
  found: AsyncIterable<Placed<Did>>,
  groups: readonly FilterGroup[],
  mode: SearchMode,
): Promise<Explanation> {
  let rows = 0;
  for await (const _row of found) {
    rows += 1;
    if (rows === mode.page?.limit) break;
  }
  const { rru = 0, requests = 0, roundTrips = 0 } = currentMeter()?.total() ?? {};
  return { plan: planSearch(groups, mode).map(({ plan }) => plan), rows, read: { rru, requests, roundTrips } };
}

function toLongRow(did: Did): LongRow {
  const { scope, name, type } = did;
  const sizes =
    did.type === 'FILE'
      ? { bytes: did.bytes ?? null, length: null }
      : { bytes: did.bytes ?? 0, length: did.length ?? 0 };
  return { scope, name, did_type: type, ...sizes };
}
