import type { Table } from '../../store/batches/table.ts';
import { type Did, getDids } from '../../store/entities/did.ts';
import { getFleet } from '../../store/entities/rse-fleet.ts';
import { getRules, type Rule } from '../../store/entities/rule.ts';
import { changesOf, type TableChange } from '../../store/stream/change.ts';
import { formatDid } from '../values/format-did.ts';

/** What events say that does not stand in the changes themselves, as it is when they are announced. */
export interface Facts {
  /** The name of an RSE; its id where there is none. */
  readonly rseName: (id: string) => string;
  /** Those for which replicas are copied, by their ids; those that are gone are missing. */
  readonly rules: ReadonlyMap<string, Rule>;
  /** The accounts of containers that something was attached to, by `scope:name`. */
  readonly owners: ReadonlyMap<string, string>;
}

/**
 * Looks up what the events of some changes say beside them: the version of the fleet, where an RSE is named, and those
 * rules and containers that are concerned.
 */
export async function gatherFacts(table: Table, changes: readonly TableChange[]): Promise<Facts> {
  const namesRses = changes.some(({ kind }) => kind === 'did' || kind === 'datasetLock' || kind === 'transfer');
  const [fleet, rules, owners] = await Promise.all([
    namesRses ? getFleet(table) : undefined,
    getRules(table, rulesOf(changes)),
    ownersOf(table, changes),
  ]);
  return { rseName: (id) => fleet?.byId.get(id)?.rse ?? id, rules, owners };
}

/** The rules that wait for copies which were asked for or have come. */
function rulesOf(changes: readonly TableChange[]): Set<string> {
  const asked = changesOf('did', changes).flatMap(({ before }) =>
    Array.from(before?.replicas.values() ?? [], ({ askedBy }) => askedBy ?? []).flat(),
  );
  const wanted = changesOf('transfer', changes).map(({ after }) => after?.ruleId ?? []);
  return new Set([...asked, ...wanted.flat()]);
}

/** Accounts of the containers that something was attached to: most are told of by the same changes. */
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
