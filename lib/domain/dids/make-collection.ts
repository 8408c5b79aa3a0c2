import type { NewDidOfMany } from '../../contract/schemas/did.ts';
import type { CollectionDid, NewCollectionDid } from '../../store/entities/did.ts';
import type { Context } from '../values/context.ts';
import { toDidAttributes } from './register-files.ts';
import { computeExpiry, sortMetadata } from './sort-metadata.ts';

/** A collection to create, without its content. */
type CollectionInput = Pick<NewDidOfMany, 'scope' | 'name' | 'account' | 'statuses' | 'lifetime' | 'meta'> & {
  readonly type: CollectionDid['type'];
};

/**
 * A new, open dataset or container without content (spec/dids.md 2.2).
 *
 * @throws InvalidMetadata, InvalidValueForKey (400).
 */
export function makeCollection({ now, issuer }: Context, input: CollectionInput): NewCollectionDid {
  const { scope, name, type } = input;
  const sorted = sortMetadata({ scope, name, type }, input.meta ?? {}, now);
  const expiredAt = 'lifetime' in (input.meta ?? {}) ? null : computeExpiry(input.lifetime, now);
  return {
    scope,
    name,
    type,
    account: input.account ?? issuer.account,
    open: true,
    ...(input.statuses?.monotonic === true ? { monotonic: true } : {}),
    length: 0,
    bytes: 0,
    ...(expiredAt === null ? {} : { expiredAt }),
    ...toDidAttributes(sorted),
    createdAt: now,
    updatedAt: now,
  };
}
