import type { DidKey, DidType, InlineRule, NewDid as NewDidInput, NewDidOfMany } from '../../contract/schemas/did.ts';
import { knownAccountName } from '../../contract/schemas/names.ts';
import { draftAttachment } from '../../domain/dids/draft-attachment.ts';
import { requireValidDatatype, addImpliedMetadata } from '../../domain/dids/implied-metadata.ts';
import { loadDraft } from '../../domain/dids/load-draft.ts';
import { makeCollection } from '../../domain/dids/make-collection.ts';
import { authorize } from '../../domain/permission/authorize.ts';
import { cachedFacts } from '../../domain/permission/facts.ts';
import { planInlineRules } from '../../domain/rules/add-inline-rules.ts';
import { requireScope } from '../../domain/scopes/require-scope.ts';
import type { Context } from '../../domain/values/context.ts';
import { requireValidDidName } from '../../domain/values/did-names.ts';
import { fail } from '../../errors.ts';
import type { CollectionDid } from '../../store/entities/did.ts';

/**
 * Creates a dataset or a container with its metadata, content and rules, all or nothing (spec/dids.md 2.2).
 *
 * @throws InvalidObject, InvalidMetadata, InvalidValueForKey (400); AccessDenied (401); ScopeNotFound, RSENotFound,
 *   DataIdentifierNotFound (404); DataIdentifierAlreadyExists, UnsupportedOperation (409); FileConsistencyMismatch
 *   (412).
 */
export async function addDid(context: Context, did: DidKey, input: NewDidInput): Promise<void> {
  requireValidDidName(did, input.type);
  await authorize(context, 'add_did', { scope: did.scope, ...summariseRules(context, [input]) });
  if (input.type !== 'DATASET') return createAll(context, [{ ...input, ...did }]);
  const meta = addImpliedMetadata(did, input.meta ?? {});
  await requireValidDatatype(context.store.table, meta);
  await createAll(context, [{ ...input, ...did, meta }]);
}

/**
 * Creates datasets and containers in bulk, all or nothing (spec/dids.md 2.1). A DID may contain earlier DIDs of the
 * same request.
 *
 * @throws The errors of {@link addDid}, and AccountNotFound (404) for an unknown owner.
 */
export async function addDids(context: Context, inputs: readonly NewDidOfMany[]): Promise<void> {
  await authorize(context, 'add_dids', {
    scopes: inputs.map(({ scope }) => scope),
    ...summariseRules(context, inputs),
  });
  const facts = cachedFacts(context.store);
  for (const owner of new Set(inputs.flatMap(({ account }) => account ?? []))) {
    const known = knownAccountName.safeParse(owner).success && (await facts.account(owner)) !== undefined;
    if (!known) fail('AccountNotFound', `Account ID '${owner}' does not exist`);
  }
  await createAll(context, inputs);
}

async function createAll(context: Context, inputs: readonly NewDidOfMany[]): Promise<void> {
  for (const input of inputs) requireValidDidName(input, requireCollectionType(input.type));
  const scopes = new Set(inputs.map(({ scope }) => scope));
  await Promise.all([...scopes].map((scope) => requireScope(context, scope)));

  const attachments = inputs.map((input) => ({ parent: input, dids: input.dids ?? [], rse: input.rse }));
  await context.store.write(async (latest) => {
    const { draft, permission, rses } = await loadDraft(context, latest, attachments);
    for (const input of inputs) {
      draft.make(makeCollection(context, { ...input, type: requireCollectionType(input.type) }));
      const rse = rses.get(input.rse ?? '');
      await draftAttachment({ context, latest, draft, permission, rse }, input, input.dids ?? []);
      for (const write of await planInlineRules(context, latest, input)) draft.add(write);
    }
    return draft.plan();
  });
}

function requireCollectionType(type: DidType): CollectionDid['type'] {
  return type === 'FILE'
    ? fail('UnsupportedOperation', 'Only collection (dataset/container) can be registered.')
    : type;
}

function summariseRules({ issuer }: Context, inputs: readonly NewDidInput[]) {
  const rules = inputs.flatMap((input): readonly InlineRule[] => input.rules ?? []);
  return {
    ruleAccounts: rules.map(({ account }) => account ?? issuer.account),
    locksRules: rules.some(({ locked }) => locked === true),
  };
}
