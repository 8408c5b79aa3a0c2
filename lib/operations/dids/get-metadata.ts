import type { DidKey } from '../../contract/schemas/did.ts';
import type { BulkMetadata } from '../../contract/schemas/metadata.ts';
import { followFirstParents } from '../../domain/did-graph/follow-first-parents.ts';
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
 * Without `inherit`: every existing DID, once. With it: every requested DID, in that order, and keys that a DID lacks
 * come from the nearest ancestor that has them.
 *
 * @throws UnsupportedMetadataPlugin (400); DataIdentifierNotFound (404) if none of the scopes exists (6 #13).
 */
export async function* getBulkMetadata(
  context: Context,
  { dids, inherit, plugin }: BulkMetadata,
): AsyncGenerator<Metadata> {
  const read = findPlugin(plugin);
  const { table } = context.store;
  const found = await getDids(table, dids);
  if (found.length === 0) await requireAnyScope(context, dids);
  if (inherit) yield* listInherited(table, dids, found, read);
  else for (const did of found) yield addName(did, read(did));
}

async function* listInherited(table: Table, dids: readonly DidKey[], found: readonly Did[], read: Plugin) {
  const { ancestors, all } = await followFirstParents(table, found);
  for (const did of dids) {
    const { scope, name } = did;
    const lineage = [formatDid(did), ...(ancestors.get(formatDid(did)) ?? [])].flatMap((one) => all.get(one) ?? []);
    yield addName({ scope, name }, Object.assign({}, ...lineage.map(read).toReversed()) as Metadata);
  }
}

/** Scope and name are always those of the DID, even if its metadata has keys of these names. */
function addName({ scope, name }: DidKey, metadata: Metadata): Metadata {
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
