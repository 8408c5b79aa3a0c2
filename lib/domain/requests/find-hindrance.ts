import { ReplicaState } from '../../contract/schemas/states.ts';
import type { Table } from '../../store/batches/table.ts';
import type { FileDid } from '../../store/entities/did.ts';
import type { Rse } from '../../store/entities/rse.ts';
import { getTransfers } from '../../store/entities/transfer.ts';
import { missingSource } from '../locks/lock-updates.ts';
import { notWritable } from '../rules/engine/messages.ts';
import { formatDid } from '../values/format-did.ts';
import { RequestDetailsReader } from './read-request-details.ts';

/** After this time without a mover a copy says so: a mover asks for due copies every minute. */
const pickUpMs = 60_000;

/** Why nobody makes a copy to an RSE, or since when nobody has asked for it. */
export const noMover = ({ rse, attributes }: Rse) =>
  attributes['mover'] === undefined
    ? `No mover has asked for the copy: ${rse} has no attribute mover.`
    : `No mover has asked for the copy, although ${rse} has the attribute mover=${String(attributes['mover'])}.`;

/**
 * Why copies of files to an RSE that are asked for cannot be made at present, by `scope:name`; files whose copies nothing
 * hinders are left out. Costs a read for each file and copy, and one for each rule.
 */
export async function findHindrances(
  table: Table,
  destination: Rse,
  files: readonly FileDid[],
  now: number,
): Promise<ReadonlyMap<string, string>> {
  const transfers = await getTransfers(table, files, destination.id);
  const copies = await new RequestDetailsReader(table, now).find(transfers, destination);
  const found = copies.flatMap(({ transfer, file, sources }): [string, string][] => {
    const { failed, state } = file?.replicas.get(destination.id) ?? {};
    if (state !== ReplicaState.COPYING || (transfer.lease !== undefined && transfer.lease.until > now)) return [];
    const isNeglected = transfer.updatedAt === undefined && transfer.createdAt < now - pickUpMs;
    const reason =
      sources.length === 0
        ? missingSource
        : !destination.availabilityWrite
          ? notWritable
          : failed?.waits === true
            ? failed.error
            : isNeglected
              ? noMover(destination)
              : transfer.error;
    return reason === undefined ? [] : [[formatDid(transfer.did), reason]];
  });
  return new Map(found);
}
