import { RucioError } from '../../errors.ts';
import type { Table } from '../../store/batches/table.ts';
import { getRse } from '../../store/entities/rse.ts';

/** Duplicate (409): another RSE has the name. */
export function nameInUseError(name: string): RucioError {
  return new RucioError('Duplicate', `RSE '${name}' already exists!`);
}

/**
 * Does what gives an RSE a name. A disabled RSE keeps its name, though no list shows it: a refusal says so then.
 *
 * @throws Duplicate (409), and what the action throws.
 */
export async function givingName(table: Table, name: string | undefined, act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    const isInUse = name !== undefined && error instanceof RucioError && error.name === 'Duplicate';
    const holder = isInUse ? await getRse(table, name) : undefined;
    if (holder?.deletedAt === undefined) throw error;
    throw new RucioError('Duplicate', `RSE '${name}' already exists! It is deleted; an import restores it.`);
  }
}
