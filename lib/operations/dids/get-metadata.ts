import type { DidKey } from '../../contract/schemas/did.ts';
import type { BulkMetadata } from '../../contract/schemas/metadata.ts';
import { readLineages } from '../../domain/did-graph/lineage.ts';
import { describeDid } from '../../domain/dids/describe-did.ts';
import { findDid } from '../../domain/dids/find-did.ts';
import { cachedFacts } from '../../domain/permission/facts.ts';
import type { Context } from '../../domain/values/context.ts';
import { formatDid } from '../../domain/values/format-did.ts';
import { isScopeName } from '../../domain/values/scope-name.ts';
import { fail } from '../../errors.ts';
import type { Table } from '../../store/batches/table.ts';
import { type Did, getDids } from '../../store/entities/did.ts';

/** Metadata by key. */
type Metadata = Readonly<Record<string, unknown>>;

type Plugin = (did: Did) => Metadata;

const plugins: Readonly<Record<string, Plugin>> = {
  DID_COLUMN: describeDid,
  JSON: ({ meta }) => meta,
  ALL: (did) => ({ ...describeDid(did), ...did.meta }),
};

/**
 * The metadata of a DID (spec/dids.md 2.15).
 *
 * @param plugin `DID_COLUMN`, `JSON` or `ALL`, in any case.
 * @throws UnsupportedMetadataPlugin (400); DataIdentifierNotFound (404).
 */
export async function getMetadata({ store }: Context, did: DidKey, plugin: string): Promise<Metadata> {
  const read = findPlugin(plugin);
  return read(await findDid(store.table, did));
}

/**
 * The metadata of many DIDs, each with its scope and name (spec/dids.md 2.18).
 *
 * Without `inherit`, every DID that exists, once. With it, every DID that was asked for, in that order; what a DID does
 * not say itself comes from the nearest of its ancestors that says it.
 *
 * @throws UnsupportedMetadataPlugin (400); DataIdentifierNotFound (404) when none of the scopes exists (6 #13).
 */
export async function* getBulkMetadata(
  context: Context,
  { dids, inherit, plugin }: BulkMetadata,
): AsyncGenerator<Metadata> {
  const read = findPlugin(plugin);
  const { table } = context.store;
  const found = await getDids(table, dids);
  if (found.length === 0) await requireAnyScope(context, dids);
  if (inherit) yield* inherited(table, dids, found, read);
  else for (const did of found) yield nameFirst(did, read(did));
}

async function* inherited(table: Table, dids: readonly DidKey[], found: readonly Did[], read: Plugin) {
  const { ancestors, all } = await readLineages(table, found);
  for (const did of dids) {
    const { scope, name } = did;
    const lineage = [formatDid(did), ...(ancestors.get(formatDid(did)) ?? [])].flatMap((one) => all.get(one) ?? []);
    yield nameFirst({ scope, name }, Object.assign({}, ...lineage.map(read).toReversed()) as Metadata);
  }
}

/** The scope and name of an answer are the DID's, whatever its metadata says. */
function nameFirst({ scope, name }: DidKey, metadata: Metadata): Metadata {
  return { ...metadata, scope, name };
}

function findPlugin(name: string): Plugin {
  const plugin = Object.hasOwn(plugins, name.toUpperCase()) ? plugins[name.toUpperCase()] : undefined;
  return plugin ?? fail('UnsupportedMetadataPlugin', `Metadata plugin "${name}" is not enabled on the server.`);
}

async function requireAnyScope({ store }: Context, dids: readonly DidKey[]): Promise<void> {
  const scopes = [...new Set(dids.map(({ scope }) => scope))].filter(isScopeName);
  const facts = cachedFacts(store);
  const known = await Promise.all(scopes.map((scope) => facts.scope(scope)));
  if (dids.length > 0 && known.every((scope) => scope === undefined)) {
    fail('DataIdentifierNotFound', `No scope of the listed data identifiers exists`);
  }
}
