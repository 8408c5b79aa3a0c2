import { addIntegers, type Integer } from '../../integer.ts';
import type { RseUsage } from '../../store/entities/rse-usage.ts';
import type { Rse } from '../../store/entities/rse.ts';

/** The name of the usage that decides, unless an attribute names another. */
const defaultSource = 'storage';

/** The usage of an RSE by the source that says how much of it is used, if it is known. */
export function findUsedSpace({ attributes }: Rse, usages: readonly RseUsage[]): RseUsage | undefined {
  return findSource(usages, attributes['source_for_used_space']);
}

/** The bytes that an RSE has by the source that says so, if they are known. */
export function findTotalSpace({ attributes }: Rse, usages: readonly RseUsage[]): Integer | undefined {
  const total = findSource(usages, attributes['source_for_total_space']);
  return total === undefined ? undefined : addIntegers(total.used ?? 0, total.free ?? 0);
}

function findSource(usages: readonly RseUsage[], name: unknown): RseUsage | undefined {
  return usages.find(({ source }) => source === (name || defaultSource));
}
