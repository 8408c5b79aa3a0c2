import type { NewSample } from '../../contract/schemas/did-lists.ts';
import type { DidKey } from '../../contract/schemas/did.ts';
import { draftAttachment } from '../../domain/dids/draft-attachment.ts';
import { findDid } from '../../domain/dids/find-did.ts';
import { loadDraft } from '../../domain/dids/load-draft.ts';
import { authorize } from '../../domain/permission/authorize.ts';
import { requireScope } from '../../domain/scopes/require-scope.ts';
import type { Context } from '../../domain/values/context.ts';
import { requireValidDidName } from '../../domain/values/did-names.ts';
import { formatDid } from '../../domain/values/format-did.ts';
import { shuffle } from '../../domain/values/shuffle.ts';
import { fail } from '../../errors.ts';
import { listFileLines } from './list-content.ts';

/**
 * Creates an open dataset with a random sample of the files of a DID (spec/dids.md 2.21). A file that the DID contains
 * several times is drawn at most once.
 *
 * @param sample `nbfiles`: the number of files; a negative number omits that many.
 * @throws ValueError (400) if `nbfiles` is no integer; InvalidObject (400); AccessDenied (401); DataIdentifierNotFound,
 *   ScopeNotFound (404); DataIdentifierAlreadyExists, UnsupportedOperation (409).
 */
export async function createSample(context: Context, sample: NewSample): Promise<void> {
  const input = { scope: sample.input_scope, name: sample.input_name };
  const output = { scope: sample.output_scope, name: sample.output_name };
  const count = readCount(sample.nbfiles);
  requireValidDidName(output, 'DATASET');
  await authorize(context, 'create_did_sample', output);
  const { table } = context.store;
  const did = await findDid(table, input);
  await requireScope(context, output.scope);

  const files = new Map<string, DidKey>();
  for await (const { scope, name } of listFileLines(table, did)) files.set(formatDid({ scope, name }), { scope, name });
  const dids = shuffle([...files.values()]).slice(0, count);
  await context.store.write(async (latest) => {
    const { draft, permission } = await loadDraft(context, latest, [{ parent: output, dids }]);
    draft.make({
      ...output,
      type: 'DATASET',
      account: context.issuer.account,
      open: true,
      length: 0,
      bytes: 0,
      columns: {},
      meta: {},
      createdAt: context.now,
      updatedAt: context.now,
    });
    await draftAttachment({ context, latest, draft, permission, rse: undefined }, output, dids);
    return draft.plan();
  });
}

function readCount(nbfiles: string | number): number {
  const count = /^\s*[+-]?\d+\s*$/.test(String(nbfiles)) ? Number(nbfiles) : Number.NaN;
  return Number.isNaN(count) ? fail('ValueError', `invalid literal for int() with base 10: '${nbfiles}'`) : count;
}
