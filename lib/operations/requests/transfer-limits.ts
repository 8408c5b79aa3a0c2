import type {
  NewTransferLimit,
  TransferLimitLine,
  TransferLimitSelector,
} from '../../contract/schemas/transfer-limit.ts';
import { defined } from '../../defined.ts';
import { byName, type Page, type Placed, wholeList } from '../../domain/paging/page.ts';
import { authorize } from '../../domain/permission/authorize.ts';
import { resolveExpression } from '../../domain/rse-expression/resolve-expression.ts';
import type { Context } from '../../domain/values/context.ts';
import { newId } from '../../domain/values/ids.ts';
import {
  changeTransferLimit,
  deleteTransferLimit as planDeletion,
  getTransferLimit,
  insertTransferLimit,
  listTransferLimits as listStored,
  type TransferLimit,
} from '../../store/entities/transfer-limit.ts';
import { formatDate } from '../../time.ts';

/** The limit of an activity that is not named. */
const allActivities = 'all_activities';

/**
 * The limits of transfers, by id. Dapple copies no files; it keeps the limits for the movers that do (spec/access.md 6.6).
 *
 * @throws AccessDenied (401).
 */
export async function* listTransferLimits(
  context: Context,
  page: Page = wholeList,
): AsyncGenerator<Placed<TransferLimitLine>> {
  await authorize(context, 'list_transfer_limits', undefined);
  yield* byName((await listStored(context.store.table)).map(describe), ({ id }) => id, page);
}

/**
 * Sets a limit, or changes the one of the same expression, activity and direction.
 *
 * @throws AccessDenied (401); InvalidRSEExpression, InvalidObject (400).
 */
export async function setTransferLimit(context: Context, wanted: NewTransferLimit): Promise<void> {
  await authorize(context, 'set_transfer_limit', undefined);
  const { now } = context;
  const key = keyOf(wanted);
  const { max_transfers: maxTransfers, volume, deadline, strategy, transfers, waitings } = wanted;
  const given = { maxTransfers, volume, deadline, strategy, transfers, waitings };
  const set: Partial<TransferLimit> = defined(
    Object.fromEntries(Object.entries(given).map(([name, value]) => [name, value ?? undefined])),
  );
  await context.store.write(async (latest) => {
    await resolveExpression(latest.latest(), key.rseExpression);
    const present = await getTransferLimit(latest, key);
    if (present !== undefined) return [changeTransferLimit(key, { ...set, updatedAt: now })];
    const defaults = { maxTransfers: 0, volume: 0, deadline: 1, strategy: 'fifo', transfers: null, waitings: null };
    return [insertTransferLimit({ id: newId(), ...key, ...defaults, ...set, createdAt: now, updatedAt: now })];
  });
}

/**
 * Deletes a limit, if there is one.
 *
 * @throws AccessDenied (401).
 */
export async function deleteTransferLimit(context: Context, wanted: TransferLimitSelector): Promise<void> {
  await authorize(context, 'delete_transfer_limit', undefined);
  await context.store.write((latest) => planDeletion(latest, keyOf(wanted)));
}

function keyOf({ rse_expression: rseExpression, activity, direction }: TransferLimitSelector) {
  return { rseExpression, activity: activity ?? allActivities, direction };
}

function describe(limit: TransferLimit): TransferLimitLine {
  const { id, activity, direction, volume, deadline, strategy, transfers, waitings } = limit;
  return {
    id,
    rse_expression: limit.rseExpression,
    activity,
    direction,
    max_transfers: limit.maxTransfers,
    volume,
    deadline,
    strategy,
    transfers,
    waitings,
    created_at: formatDate(limit.createdAt),
    updated_at: formatDate(limit.updatedAt),
  };
}
