/**
 * The whole service as one module, evaluated once for each simulated instance, so that each has its own state.
 */
// Must be first: modules of functions open the store when they are evaluated.
export { isConnected } from './connect.ts';
export * from './backup.ts';
import { handler as accounts } from '../../../functions/accounts.ts';
import { handler as archives } from '../../../functions/archives.ts';
import { handler as auth } from '../../../functions/auth.ts';
import { handler as config } from '../../../functions/config.ts';
import { handler as consumeStream } from '../../../functions/consume-stream.ts';
import { handler as credentials } from '../../../functions/credentials.ts';
import { handler as dids } from '../../../functions/dids.ts';
import { handler as dirac } from '../../../functions/dirac.ts';
import { handler as doWork } from '../../../functions/do-work.ts';
import { handler as expireDids } from '../../../functions/expire-dids.ts';
import { handler as fleet } from '../../../functions/fleet.ts';
import { handler as followUpStream } from '../../../functions/follow-up-stream.ts';
import { handler as freeSpace } from '../../../functions/free-space.ts';
import { handler as identities } from '../../../functions/identities.ts';
import { handler as lifetimeExceptions } from '../../../functions/lifetime-exceptions.ts';
import { handler as locks } from '../../../functions/locks.ts';
import { handler as maintainMetadataIndex } from '../../../functions/maintain-metadata-index.ts';
import { handler as metaConventions } from '../../../functions/meta-conventions.ts';
import { handler as moveData } from '../../../functions/move-data.ts';
import { handler as opendata } from '../../../functions/opendata.ts';
import { handler as recoverBatches } from '../../../functions/recover-batches.ts';
import { handler as replicas } from '../../../functions/replicas.ts';
import { handler as requests } from '../../../functions/requests.ts';
import { handler as rses } from '../../../functions/rses.ts';
import { handler as rules } from '../../../functions/rules.ts';
import { handler as scopes } from '../../../functions/scopes.ts';
import { handler as subscriptions } from '../../../functions/subscriptions.ts';
import { deliveredChanges, passesFilters, lengthyWork } from '../../../infra/stream-filter.ts';
import { recountUsage } from '../../../lib/background/recount-usage.ts';
import { clock } from '../../../lib/clock.ts';
import { groups as allGroups } from '../../../lib/contract/index.ts';
import { LockState, ReplicaState } from '../../../lib/contract/schemas/states.ts';
import { bootstrapRoot } from '../../../lib/domain/accounts/bootstrap.ts';
import { issueToken } from '../../../lib/domain/tokens/token.ts';
import type { LambdaHandler } from '../../../lib/http/handler.ts';
import { getFiles, isFile, listByPrefix } from '../../../lib/store/entities/did.ts';
import { endOfEvents, listEvents } from '../../../lib/store/entities/event.ts';
import { getOrigin } from '../../../lib/store/entities/identity.ts';
import { getFleet } from '../../../lib/store/entities/rse-fleet.ts';
import { openStore } from '../../../lib/store/open-store.ts';
import { takeInventory } from '../../model/holdings.ts';
import { findListFaults } from '../../support/deletable-list.ts';

const byGroup: Readonly<Record<string, LambdaHandler>> = {
  accounts,
  archives,
  auth,
  config,
  credentials,
  dids,
  dirac,
  fleet,
  identities,
  'lifetime-exceptions': lifetimeExceptions,
  locks,
  'meta-conventions': metaConventions,
  opendata,
  replicas,
  requests,
  rses,
  rules,
  scopes,
  subscriptions,
};

/** The handlers of the endpoint groups by the first segment of the path. */
export const handlers: Readonly<Record<string, LambdaHandler>> = Object.fromEntries(
  allGroups.flatMap(({ name, prefixes }) => {
    const handler = byGroup[name];
    return handler === undefined ? [] : prefixes.map((prefix) => [prefix, handler] as const);
  }),
);

/** The routes of the interface. */
export const groups = allGroups;

/** The consumers of the stream, with the records that each of them gets. */
export const consumers = {
  'consume-stream': { handler: consumeStream, wants: (record: unknown) => passesFilters(record, deliveredChanges) },
  'follow-up-stream': { handler: followUpStream, wants: (record: unknown) => passesFilters(record, lengthyWork) },
};

/** The scheduled jobs. */
export const jobs = {
  'recover-batches': recoverBatches,
  'do-work': doWork,
  'expire-dids': expireDids,
  'free-space': freeSpace,
  'maintain-metadata-index': maintainMetadataIndex,
  'move-data': () => moveData({}, { awsRequestId: 'simulated' }),
  /** Which sums are wrong; they are repaired. */
  'recount-usage': () => findWrongUsage({ repair: true }),
};

const begin = () => ({ store: openStore(), now: Date.now(), issuer: { account: 'root', identity: 'root' } });

/** Creates the first account. */
export async function bootstrap(): Promise<void> {
  await bootstrapRoot(openStore(), { username: 'root', password: 'secret' });
}

/** A token of an account; by default of the first one. */
export async function tokenOf(account = 'root'): Promise<string> {
  const origin = await getOrigin(openStore().table, account, { type: 'USERPASS', identity: account });
  if (origin === undefined) throw new Error(`${account} cannot log in`);
  return (await issueToken({ account, identity: account, origin }, clock.now())).token;
}

/** Sums of usage that differ from a recount. With `repair` it repairs them, and leaves out those that change meanwhile. */
export async function findWrongUsage({ repair = false } = {}): Promise<string[]> {
  const wrong: string[] = [];
  for await (const { rse, account = '', recorded, counted, verdict } of recountUsage(openStore(), { repair })) {
    if (verdict === 'right' || (repair && verdict === 'restless')) continue;
    const [one, other] = [recorded, counted].map(({ bytes, files }) => `${bytes} B in ${files} files`);
    wrong.push(`usage of ${rse} ${account}: recorded ${one}, counted ${other}`);
  }
  return wrong;
}

/** Faults of the list of what may be deleted. */
export function findWrongListing(): Promise<string[]> {
  return findListFaults(openStore().table.latest());
}

/** All events of the log, as texts. */
export async function listAllEvents(from: number): Promise<string[]> {
  const { table } = openStore();
  const end = await endOfEvents(table);
  if (end === undefined) return [];
  const lists = await Array.fromAsync(listEvents(table, { at: from, index: -1 }, end));
  return lists.flat().map(({ text }) => text);
}

/** States of replicas whose files are there. */
const saidToBeThere: ReadonlySet<ReplicaState> = new Set([ReplicaState.AVAILABLE, ReplicaState.TEMPORARY_UNAVAILABLE]);

/** The replicas of the files of some scopes whose files are said to be there, though maybe not to be read for a time. */
export async function listPresent(names: readonly string[]) {
  const { table } = openStore();
  const { byId } = await getFleet(table);
  const lists = await Promise.all(names.map((scope) => Array.fromAsync(listByPrefix(table, scope, ''))));
  return lists
    .flat()
    .filter(isFile)
    .flatMap(({ scope, name, replicas: there }) =>
      [...there].flatMap(([id, { state, path, locks: own = {} }]) => {
        const isLocked = Object.values(own).some((lock) => lock.state === LockState.OK);
        const rse = byId.get(id)?.rse ?? '';
        return saidToBeThere.has(state) ? [{ scope, name, rse, path, isLocked }] : [];
      }),
    );
}

/** The present replica of a file in the catalogue; undefined: there is none. */
export async function findReplica(did: { readonly scope: string; readonly name: string }, rse: string) {
  const table = openStore().begin().table.latest();
  const [[file], { live }] = await Promise.all([getFiles(table, [did]), getFleet(table)]);
  const replica = file?.replicas.get(live.find((one) => one.rse === rse)?.id ?? '');
  const all = [...(file?.replicas.values() ?? [])].map(({ locks: own = {} }) => Object.keys(own).length);
  if (file === undefined || replica === undefined) return undefined;
  const { state, locks: held = {}, updatedAt, createdAt = file.createdAt } = replica;
  const locksAnywhere = all.reduce((sum, count) => sum + count, 0);
  return { state, locks: Object.keys(held).length, locksAnywhere, changedAt: updatedAt ?? createdAt };
}

/** Replicas of the files of some scopes on RSEs that are deleted. */
export async function findOnDeletedRses(names: readonly string[]): Promise<string[]> {
  const table = openStore().begin().table.latest();
  const { live } = await getFleet(table);
  const isLive = new Set(live.map(({ id }) => id));
  const lists = await Promise.all(names.map((scope) => Array.fromAsync(listByPrefix(table, scope, ''))));
  return lists
    .flat()
    .filter(isFile)
    .flatMap(({ name, replicas: there }) =>
      [...there].flatMap(([id, { state, locks: own = {} }]) =>
        isLive.has(id) ? [] : [`${name} has a replica ${state} with ${Object.keys(own).length} locks on a deleted RSE`],
      ),
    );
}

/** Everything that the scopes hold, one text for each thing. */
export function listHoldings(names: readonly string[]): Promise<readonly string[]> {
  return takeInventory(begin(), names);
}

export { parseJson } from '../../../lib/json.ts';
