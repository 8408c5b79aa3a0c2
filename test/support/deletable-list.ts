import type { Table } from '../../lib/store/batches/table.ts';
import { listDeletable } from '../../lib/store/entities/deletable-replica.ts';
import { getFiles } from '../../lib/store/entities/did.ts';
import { listRseContent } from '../../lib/store/entities/rse-content.ts';
import { listRses, type Rse } from '../../lib/store/entities/rse.ts';
import { shards } from '../../lib/store/values/shards.ts';

/** Faults of the list of deletable replicas, compared with all replicas of all RSEs; one text for each fault. */
export async function findListFaults(table: Table): Promise<string[]> {
  const faults: string[] = [];
  for await (const rse of listRses(table)) faults.push(...(await findFaultsOf(table, rse)));
  return faults;
}

async function findFaultsOf(table: Table, { id, rse }: Rse): Promise<string[]> {
  const dids = await Promise.all(shards.map((shard) => Array.fromAsync(listRseContent(table, id, shard))));
  const wanted = new Set<string>();
  const faults: string[] = [];
  for (const { scope, name, replicas } of await getFiles(table, dids.flat())) {
    const { state, tombstone, listedAt, locks = {} } = replicas.get(id) ?? {};
    const belongs = tombstone !== undefined && state !== 'C' && Object.keys(locks).length === 0;
    if (belongs) wanted.add(`${tombstone} ${listedAt} ${scope}:${name}`);
    else if (listedAt !== undefined) faults.push(`${scope}:${name} on ${rse} notes an entry that it must not have`);
  }
  const found = await Array.fromAsync(
    listDeletable(table, id, Number.MAX_SAFE_INTEGER),
    ({ tombstone, listedAt, did }) => `${tombstone} ${listedAt} ${did.scope}:${did.name}`,
  );
  const listed = new Set(found);
  return [
    ...faults,
    ...[...wanted].filter((entry) => !listed.has(entry)).map((entry) => `not listed on ${rse}: ${entry}`),
    ...found.filter((entry) => !wanted.has(entry)).map((entry) => `wrongly listed on ${rse}: ${entry}`),
  ];
}
