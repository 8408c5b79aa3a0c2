import type { Integer } from '../../lib/integer.ts';
import { ownSource } from '../../lib/store/entities/rse-usage.ts';
import type { RucioSource } from '../rucio/source.ts';
import type { Batch } from './batch.ts';
import type { ImportContext } from './import-context.ts';
import type { Sum } from './sums.ts';

/** Notes the usage of accounts and RSEs that the old server counted otherwise than its rows say. */
export async function noteDrift(source: RucioSource, batch: Batch, { sums, rses }: ImportContext): Promise<void> {
  const nameOf = (rseId: string) => rses.get(rseId)?.rse ?? rseId;
  const { rows } = await source.read({ account_usage: ['account', 'rse_id'], rse_usage: ['rse_id'] }, {});
  for (const { account, rse_id: rseId, files, bytes } of rows.account_usage) {
    const reason = compare({ files, bytes }, sums.get(['account', account, rseId]), 'locks');
    if (reason !== undefined) batch.note('account_usage', [account, nameOf(rseId)], reason, countedAnew);
  }
  for (const { rse_id: rseId, source: by, files, used } of rows.rse_usage) {
    if (by !== ownSource || !rses.has(rseId)) continue;
    const reason = compare({ files, bytes: used }, sums.get(['rse', rseId]), 'replicas');
    if (reason !== undefined) batch.note('rse_usage', [nameOf(rseId)], reason, countedAnew);
  }
}

const countedAnew = 'counted anew';

interface Usage {
  readonly files: Integer | null;
  readonly bytes: Integer | null;
}

function compare({ files, bytes }: Usage, { count, bytes: counted }: Sum, what: string): string | undefined {
  if (BigInt(files ?? 0) === BigInt(count) && BigInt(bytes ?? 0) === BigInt(counted)) return undefined;
  return `it says ${files ?? 0} files, ${bytes ?? 0} bytes; the ${what} that were taken are ${count} and ${counted}`;
}
