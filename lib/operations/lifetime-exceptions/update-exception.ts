import type { ExceptionState } from '../../contract/schemas/lifetime-exception.ts';
import { authorize } from '../../domain/permission/authorize.ts';
import type { Context } from '../../domain/values/context.ts';
import { readId } from '../../domain/values/ids.ts';
import { fail } from '../../errors.ts';
import { decideLifetimeException, listLifetimeExceptions } from '../../store/entities/lifetime-exception.ts';

/**
 * Approves or rejects an exception to the lifetime model, for all of its DIDs (spec/access.md 6.5).
 *
 * @throws AccessDenied (401), LifetimeExceptionNotFound (404).
 */
export async function updateLifetimeException(context: Context, id: string, state: ExceptionState): Promise<void> {
  await authorize(context, 'update_lifetime_exceptions', undefined);
  await context.store.write(async (latest) => {
    const exceptions = await Array.fromAsync(listLifetimeExceptions(latest, readId(id) ?? id));
    if (exceptions.length === 0) fail('LifetimeExceptionNotFound', `No lifetime exception with the id ${id} found`);
    return exceptions.map((exception) => decideLifetimeException(exception, state, context.now));
  });
}
