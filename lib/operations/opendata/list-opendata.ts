import type { OpendataRow } from '../../contract/schemas/opendata.ts';
import { type OpendataState, opendataStates } from '../../contract/schemas/states.ts';
import { type Page, type Placed, placed, sliceOf } from '../../domain/paging/page.ts';
import type { AnonymousContext } from '../../domain/values/context.ts';
import type { Table } from '../../store/batches/table.ts';
import { countOpendata, listOpendata } from '../../store/entities/opendata.ts';
import { formatDate } from '../../time.ts';

/** The rows to list. */
interface Query {
  /** Absent: all. */
  readonly state?: OpendataState | undefined;
  /** Rows to skip before the first page. */
  readonly offset: number;
}

/** A list of open data; its rows are read while they are taken. */
interface OpendataListing {
  readonly head: { readonly total: number; readonly offset: number };
  readonly rows: AsyncGenerator<Placed<OpendataRow>>;
}

/**
 * Open data in the order of their last change of state (spec/access.md 10.2). The total is counted when entries change,
 * so it costs one read.
 */
export async function listOpendataDids(
  { store: { table } }: AnonymousContext,
  { state, offset }: Query,
  page: Page,
): Promise<OpendataListing> {
  const states = state === undefined ? opendataStates : [state];
  const counts = await countOpendata(table);
  const total = states.flatMap((each) => [...(counts.get(each)?.values() ?? [])]).reduce((sum, some) => sum + some, 0);
  return { head: { total, offset }, rows: listRows(table, states, offset, page) };
}

async function* listRows(
  table: Table,
  states: readonly OpendataState[],
  offset: number,
  { after: [at, scope, name] = [], limit }: Page,
): AsyncGenerator<Placed<OpendataRow>> {
  const isFirst = at === undefined || scope === undefined || name === undefined;
  const after = isFirst ? undefined : { at: Number(at), did: { scope, name } };
  // A later page begins behind what was skipped.
  let skipped = isFirst ? offset : 0;
  const slice = sliceOf(limit === undefined ? {} : { limit: limit + skipped }, after);
  for await (const { did, state, createdAt, updatedAt } of listOpendata(table, states, slice)) {
    if (skipped > 0) {
      skipped -= 1;
      continue;
    }
    const row = { ...did, state, created_at: formatDate(createdAt), updated_at: formatDate(updatedAt) };
    yield placed(row, String(updatedAt), did.scope, did.name);
  }
}
