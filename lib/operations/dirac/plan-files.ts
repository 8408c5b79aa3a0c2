import type { DidElement, DidKey } from '../../contract/schemas/did.ts';
import type { DiracFile } from '../../contract/schemas/dirac.ts';
import { defined } from '../../defined.ts';
import { draftAttachment } from '../../domain/dids/draft-attachment.ts';
import { type Attachment, loadDraft, type LoadedDraft } from '../../domain/dids/load-draft.ts';
import { makeCollection } from '../../domain/dids/make-collection.ts';
import type { LogicalFile } from '../../domain/dirac/lfn.ts';
import { compileRegexp } from '../../domain/meta-conventions/value-check.ts';
import { authorize, isPermitted } from '../../domain/permission/authorize.ts';
import { planInlineRules } from '../../domain/rules/add-inline-rules.ts';
import { patchRule } from '../../domain/rules/patch-rule.ts';
import { requireScope } from '../../domain/scopes/require-scope.ts';
import { matchesStart } from '../../domain/subscriptions/engine/time-limit.ts';
import type { Context } from '../../domain/values/context.ts';
import { formatDid } from '../../domain/values/format-did.ts';
import { fail } from '../../errors.ts';
import type { Table } from '../../store/batches/table.ts';
import type { Rse } from '../../store/entities/rse.ts';
import { findRuleId, getRule } from '../../store/entities/rule.ts';
import { LostRace, type Plan, type Write } from '../../store/items/plan.ts';
import { FileRules } from './file-rules.ts';

/** A file to add, with the DIDs of its path. */
export interface PathedFile extends LogicalFile {
  readonly input: DiracFile;
}

/** The options of a request, with those of the configuration. */
export interface DiracTerms {
  readonly ignoreAvailability: boolean;
  /** Metadata of new collections, by name. */
  readonly metadata: ReadonlyMap<string, Readonly<Record<string, unknown>>>;
  /** Lifetimes of the rules of datasets in seconds, by scope or pattern. */
  readonly lifetimes: Readonly<Record<string, number>>;
  /** Lifetime of the rules of files in seconds. */
  readonly fileLifetime: number | undefined;
}

/** The RSEs of the rule of a dataset: any that has this attribute. */
const anyRse = 'ANY=true';

/** A request as far as it is planned. */
interface Planning extends LoadedDraft {
  readonly context: Context;
  readonly latest: Table;
  readonly terms: DiracTerms;
  readonly fileRules: FileRules;
  /** Datasets whose rules were prolonged. */
  readonly prolonged: Set<string>;
}

/** The attachments of a file, from the dataset upwards; the topmost container is attached to nothing. */
function attachmentsOf({ file, dataset, containers, input }: PathedFile): Attachment[] {
  const chain = [dataset, ...containers];
  return [
    { parent: dataset, dids: [toElement(file, input)], rse: input.rse },
    ...containers.map((parent, index) => ({ parent, dids: [chain[index] ?? dataset] })),
  ];
}

function toElement({ scope, name }: DidKey, { bytes, adler32, guid, pfn, meta }: DiracFile): DidElement {
  const all = guid === undefined || guid === null ? meta : { ...meta, guid };
  return {
    scope,
    name,
    ...defined({
      bytes: bytes ?? undefined,
      adler32: adler32 ?? undefined,
      pfn: pfn ?? undefined,
      meta: all ?? undefined,
    }),
  };
}

/** Plans a request to add files (spec/access.md 11.3); throws as the operation does. */
export async function planFiles(
  context: Context,
  latest: Table,
  files: readonly PathedFile[],
  terms: DiracTerms,
): Promise<Plan> {
  const loaded = await loadDraft(context, latest, files.flatMap(attachmentsOf), {
    ignoreDuplicate: true,
    byPath: true,
  });
  const fileRules = new FileRules(context, latest, terms.fileLifetime);
  const planning: Planning = { ...loaded, context, latest, terms, fileRules, prolonged: new Set() };
  for (const file of files) if (loaded.draft.find(file.file) === undefined) await planFile(planning, file);
  return [...loaded.draft.plan(), ...fileRules.turns()];
}

async function planFile(planning: Planning, pathed: PathedFile): Promise<void> {
  const { context, latest, draft, permission, skip, holders, rses, fileRules } = planning;
  const { file, dataset, containers, input } = pathed;
  const rse = rses.get(input.rse) ?? fail('RSENotFound', `RSE '${input.rse}' cannot be found in vo 'def'`);
  await permission.requireReplicas(draft, rse, [{ ...file, bytes: input.bytes }]);
  await requireWritable(context, rse, planning.terms);
  const created = await planCollections(planning, [dataset, ...containers]);
  const attaching = { context, latest, draft, permission, skip, holders };
  await draftAttachment({ ...attaching, rse }, dataset, [toElement(file, input)]);
  const added = draft.find(file);
  if (added?.type === 'FILE') await fileRules.add(draft, added, rse);
  for (const [index, container] of containers.entries()) {
    const child = [dataset, ...containers][index];
    // An existing collection stays where it is.
    if (child === undefined || !created.has(formatDid(child))) continue;
    await authorize(context, 'attach_dids_to_dids', { scopes: [container.scope] });
    await draftAttachment({ ...attaching, rse: undefined }, container, [child]);
  }
}

/** Creates the missing collections of a path, from the dataset upwards, and returns them as `scope:name`. */
async function planCollections(planning: Planning, path: readonly DidKey[]): Promise<ReadonlySet<string>> {
  const { context, latest, draft, terms } = planning;
  const created = new Set<string>();
  for (const [index, did] of path.entries()) {
    const type = index === 0 ? 'DATASET' : 'CONTAINER';
    const found = draft.find(did);
    if (found !== undefined) {
      if (found.type !== type) fail('UnsupportedOperation', `Cannot create ${did.name} as ${type.toLowerCase()}`);
      if (type === 'DATASET') await prolongRule(planning, did);
      continue;
    }
    await requireScope(context, did.scope, did);
    await authorize(context, 'add_dids', { scopes: [did.scope], ruleAccounts: [], locksRules: false });
    draft.make(makeCollection(context, { ...did, type, meta: { ...terms.metadata.get(did.name) } }));
    created.add(formatDid(did));
    if (type === 'CONTAINER') continue;
    const rule = { copies: 1, rse_expression: anyRse, grouping: 'NONE', lifetime: findLifetime(terms, did.scope) };
    const collection = { ...did, type, rules: [rule], dids: [did] } as const;
    for (const write of await planInlineRules(context, latest, collection)) draft.add(retryIfTaken(write));
    planning.prolonged.add(formatDid(did));
  }
  return created;
}

/** If another request has made the dataset meanwhile, with such a rule, the files are attached to that one. */
function retryIfTaken(write: Write): Write {
  if (write.kind !== 'insert') return write;
  return { ...write, onExists: () => new LostRace(`${write.item.PK} ${write.item.SK} was made concurrently`) };
}

/** Gives the rule of an existing dataset its whole lifetime again, once a request, if lifetimes are configured. */
async function prolongRule({ context, latest, draft, terms, prolonged }: Planning, dataset: DidKey): Promise<void> {
  const lifetime = findLifetime(terms, dataset.scope);
  if (lifetime === undefined || prolonged.has(formatDid(dataset))) return;
  prolonged.add(formatDid(dataset));
  const identity = { account: context.issuer.account, rseExpression: anyRse, copies: 1 };
  const id = await findRuleId(latest, dataset, identity);
  const rule = id === undefined ? undefined : await getRule(latest, id);
  if (rule === undefined || rule.removing === true) return;
  const expiresAt = context.now + lifetime * 1_000;
  for (const write of patchRule(rule, { ...rule, expiresAt }, context.now)) draft.add(write);
}

/** The lifetime of the rules of datasets in a scope, in seconds: that of its name, or of the first fitting pattern. */
function findLifetime({ lifetimes }: DiracTerms, scope: string): number | undefined {
  const own = Object.hasOwn(lifetimes, scope) ? scope : undefined;
  const key = own ?? Object.keys(lifetimes).find((pattern) => matchesStart(compileRegexp('lifetime', pattern), scope));
  return (key === undefined ? undefined : lifetimes[key]) || undefined;
}

async function requireWritable(context: Context, rse: Rse, { ignoreAvailability }: DiracTerms): Promise<void> {
  if (rse.volatile || rse.availabilityWrite) return;
  if (ignoreAvailability && (await isPermitted(context, 'skip_availability_check', {}))) return;
  fail('ResourceTemporaryUnavailable', `${rse.rse} is temporary unavailable for writing`);
}
