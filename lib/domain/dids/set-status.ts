import type { DidKey } from '../../contract/schemas/did.ts';
import { fail, RucioError } from '../../errors.ts';
import { changeDid, settled } from '../../store/entities/did.ts';
import { LostRace } from '../../store/plan.ts';
import { authorize } from '../authorize.ts';
import type { Context } from '../context.ts';
import { findDid } from './find.ts';
import { formatDid } from './format-did.ts';
import { measureNow } from './get-did.ts';

/**
 * Closes or opens a collection (spec/dids.md 2.4). Closing counts a container's files and waits until bulk requests that
 * are adding to the collection are through.
 *
 * @param statuses The body: `open` and nothing else, judged by its truth.
 * @throws AccessDenied (401), DataIdentifierNotFound (404); UnsupportedStatus (409) for any other key;
 *   UnsupportedOperation (409) when the DID is in that state already or a file.
 */
export async function setStatus(
  context: Context,
  did: DidKey,
  statuses: Readonly<Record<string, unknown>>,
): Promise<void> {
  await authorize(context, 'set_status', did);
  const keys = Object.keys(statuses);
  if (keys.length === 0) fail('KeyError', `'open' not defined`);
  const unknown = keys.find((key) => key !== 'open');
  if (unknown !== undefined) {
    fail('UnsupportedStatus', `The status ${unknown} is not a valid data identifier status.`);
  }
  const open = isTrue(statuses['open']);
  const refused = () =>
    new RucioError('UnsupportedOperation', `The status of the data identifier '${formatDid(did)}' cannot be changed`);

  await context.store.write(async (latest) => {
    const found = await findDid(latest, did);
    if (found.type === 'FILE' || found.open === open) throw refused();
    const set = open
      ? { open, updatedAt: context.now }
      : {
          open,
          updatedAt: context.now,
          closedAt: context.now,
          eventsCounted: true,
          ...(await measureNow(latest, found)),
        };
    // The size that is written here must be the size at the moment of closing.
    const when = open ? { open: false } : { open: true, ...settled(found) };
    return [
      changeDid(did, { set }, { when, onMismatch: () => new LostRace(`${formatDid(did)} was changed meanwhile`) }),
    ];
  });
}

/** Truth as Python judges it. */
function isTrue(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
  return Boolean(value);
}
