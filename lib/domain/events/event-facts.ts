import type { Table } from '../../store/batches/table.ts';
import { asFile, type Did, getDids } from '../../store/entities/did.ts';
import { getFleet } from '../../store/entities/rse-fleet.ts';
import { getRules, type Rule } from '../../store/entities/rule.ts';
import { changesOf, type TableChange } from '../../store/stream/change.ts';
import { formatDid } from '../values/format-did.ts';

/** Data of events that the changes do not contain, read when they are announced. */
export interface EventFacts {
  /** The name of an RSE; its id when the RSE is unknown. */
  readonly rseName: (id: string) => string;
  /** The rules that asked for copies, by id; without deleted ones. */
  readonly rules: ReadonlyMap<string, Rule>;
  /** The accounts of containers with new attachments, by `scope:name`. */
  readonly owners: ReadonlyMap<string, string>;
}

/**
 * Reads the facts for the events of some changes: the fleet, if an RSE is named, and the rules and containers that the
 * changes refer to.
 */
export async function readEventFacts(table: Table, changes: readonly TableChange[]): Promise<EventFacts> {
  const namesRses = changes.some(({ kind }) => kind === 'did' || kind === 'datasetLock' || kind === 'transfer');
  const [fleet, rules, owners] = await Promise.all([
    namesRses ? getFleet(table) : undefined,
    getRules(table, rulesOf(changes)),
    ownersOf(table, changes),
  ]);
  return { rseName: (id) => fleet?.byId.get(id)?.rse ?? id, rules, owners };
}

/** The rules of requested and finished copies. */
function rulesOf(changes: readonly TableChange[]): Set<string> {
  const asked = changesOf('did', changes).flatMap(({ before }) =>
    Array.from(asFile(before)?.replicas.values() ?? [], ({ askedBy }) => askedBy ?? []).flat(),
  );
  const wanted = changesOf('transfer', changes).map(({ before, after }) =>
    before === undefined ? (after?.ruleId ?? []) : [],
  );
  return new Set([...asked, ...wanted.flat()]);
}

/** The accounts of containers with new attachments. Most are in the changes and cost no read. */
async function ownersOf(table: Table, changes: readonly TableChange[]): Promise<Map<string, string>> {
  const told = changesOf('did', changes).flatMap(({ before, after }): Did[] => {
    const did = after ?? before;
    return did?.type === 'CONTAINER' ? [did] : [];
  });
  const owners = new Map(told.map((did) => [formatDid(did), did.account]));
  const containers = changesOf('edge', changes).flatMap(({ before, after }) =>
    before === undefined && after !== undefined && after.type !== 'FILE' ? [after.parent] : [],
  );
  const missing = containers.filter((did) => !owners.has(formatDid(did)));
  for (const did of await getDids(table, missing)) owners.set(formatDid(did), did.account);
  return owners;
}
