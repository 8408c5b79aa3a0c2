import type { Edits } from './patch-sources.ts';

/** A text that occurs once in a file of lib, and its replacement. */
interface Patch {
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

/**
 * Defects that the service had, or could have, to test that the simulation finds them. `npm run simulate -- --mutate <name>`
 * bundles the service with one of them; the source files do not change.
 */
export const mutations: Readonly<Record<string, readonly Patch[]>> = {
  // A retry of a single write, whose first answer was lost, is refused because of its own effect.
  'own-success': [
    {
      file: 'lib/store/batches/transaction.ts',
      from: 'if (wasUncertain(error)) {',
      to: 'wasUncertain(error); if (false) {',
    },
  ],
  // The caller gets an error that occurred after the commit.
  'after-commit': [
    { file: 'lib/store/batches/fold.ts', from: 'failures.push(...tried.map(() => error));', to: 'throw error;' },
    { file: 'lib/store/items/client.ts', from: 'attachConflictRetry(client);', to: 'void attachConflictRetry;' },
  ],
  // Attachments are not compared again with their files.
  'second-look': [
    {
      file: 'lib/domain/dids/follow-file-keys.ts',
      from: '[...(await findDiffering(table, attached)), ...(await findPairsOfChanged(table, changes))]',
      to: 'table === undefined ? [await findDiffering, await findPairsOfChanged] : []',
    },
  ],
  // A request that had read a DID before it was deleted attaches it afterwards, and nobody looks for that.
  'late-attachment': [
    {
      file: 'lib/background/expire-dids.ts',
      from: 'insertExpiry(key, expiredAt, { due: now + recheckDelaysMs.deleted, deleted: true })',
      to: '',
    },
    {
      file: 'lib/background/erase-did.ts',
      from: '(await detachDeletedDid(store, key, now, until)) &&',
      to: '',
    },
  ],
  // Setting events of a file is refused while a dataset that holds it is being deleted.
  'dying-parent': [
    { file: 'lib/domain/dids/did-patches.ts', from: "evenHidden: role === 'parent',", to: '' },
    { file: 'lib/domain/dids/did-patches.ts', from: "role === 'named' && (when", to: "role !== 'child' && (when" },
  ],
  // A dataset keeps its size when one of its files is deleted with its last replica.
  'kept-size': [
    { file: 'lib/domain/replicas/shrink-collections.ts', from: 'add: computeShrinkage(edges) },', to: '},' },
  ],
  // Open data stay when their DID is deleted.
  'kept-opendata': [
    { file: 'lib/background/erase-did.ts', from: '...opendata,', to: '' },
    {
      file: 'lib/background/erase-did.ts',
      from: ', ...(await planOpendataRemoval(latest, [key]))];',
      to: '];',
    },
  ],
  // Rules stay when their DID is deleted.
  'kept-rules': [
    { file: 'lib/background/erase-did.ts', from: '(await removeRules(store, did, now, until)) &&', to: '' },
  ],
  // A rule that is placed on a bad replica waits for a copy that nobody is asked for.
  'bad-replica': [
    {
      file: 'lib/domain/rules/engine/place-file.ts',
      from: 'const locked = withLock(rule, replica, LockState.STUCK);',
      to: `if (replica.state === ReplicaState.BAD) return { repaired: withLock(rule, replica, LockState.REPLICATING) };
        const locked = withLock(rule, replica, LockState.STUCK);`,
    },
  ],
  // Content of a detached collection beyond the first page stays locked. Found with small limits only.
  'first-page': [
    {
      file: 'lib/domain/rules/engine/unlock.ts',
      from: 'if (children.length < childrenPerRead) {',
      to: 'if (children.length >= 0) {',
    },
  ],
  // A change with If-Match takes effect although another request has changed the DID in between.
  'lost-update': [
    {
      file: 'lib/store/guarded-store.ts',
      from: 'if (!accepts(tagOf(found))) throw makePreconditionError();',
      to: 'void [accepts, tagOf];',
    },
  ],
  // Readers see what a bulk request writes before it has committed.
  'early-sight': [
    {
      file: 'lib/store/batches/view.ts',
      from: "verdict.state === 'committed' && (verdict.isAhead",
      to: "verdict.state === 'pending' || verdict.state === 'committed' && (verdict.isAhead",
    },
  ],
  // A rule locks nothing new once its account is suspended or deleted, and waits for that for ever.
  'dead-account': [
    {
      file: 'lib/domain/rules/engine/rule-rses.ts',
      from: 'isAdmin: async () => isAdmin(await getAccount(table, quota.account)),',
      to: "isAdmin: async () => isAdmin(await requireActiveAccount(table, quota.account, 'no such account')),",
    },
  ],
  // A replica that never arrived, and is said to be unavailable for a time, counts as one that is there.
  'absent-arrival': [
    {
      file: 'lib/domain/locks/replica-transitions.ts',
      from: "const [there, absent] = [rowOf('arrival'), rowOf('refusal')];",
      to: "const [there, absent] = [rowOf('arrival'), rowOf('arrival')];",
    },
  ],
  // Anybody may say that the file of another is on an RSE where anybody may register files.
  'claimed-copy': [
    {
      file: 'lib/domain/permission/predicates.ts',
      from: 'answersForEvery(subject, claimed.filter(isKnown))',
      to: 'true',
    },
  ],
  // Changes that the stream had not delivered before a backup are noted, and not followed.
  'forgotten-debt': [
    {
      file: 'lib/background/follow-owed.ts',
      from: 'await followInParts(follow, owed.records);',
      to: 'void [follow, followInParts];',
    },
  ],
  // A restored table is looked through for new attachments, but not for what was detached or deleted.
  'half-sweep': [
    {
      file: 'lib/store/portable/changes-since.ts',
      from: 'if (found !== undefined && found.at >= since) yield found;',
      to: 'if (found !== undefined && found.at >= since && found.before === undefined) yield found;',
    },
  ],
  // The reaper does not look at the table before it deletes a file.
  'blind-reaper': [
    {
      file: 'lib/domain/deletion/deletion-guard.ts',
      from: 'const verdict = await this.#look(file);',
      to: "const verdict = file === undefined ? await this.#look(file) : ('delete' as Verdict);",
    },
  ],
  // A file is deleted although another DID has the same path.
  'shared-path': [
    {
      file: 'lib/domain/deletion/deletion-guard.ts',
      from: "(await findSharers(latest, rse, present)).length > 0 ? 'leave' : 'delete'",
      to: "(await findSharers(latest, rse, present)).length > 1_000 ? 'leave' : 'delete'",
    },
  ],
  // A replica may be placed on an RSE while that is deleted.
  'closing-rse': [
    {
      file: 'lib/store/open-rses.ts',
      from: 'return [...plan, ...Array.from(rseIds, requireOpenRse)];',
      to: 'return [...plan, ...Array.from(rseIds, requireOpenRse).slice(0, 0)];',
    },
  ],
  // The order of commits is that of the wall clocks of processes.
  'wall-clock': [
    { file: 'lib/clock.ts', from: 'this.#time = Math.max(wall, own);', to: 'this.#time = own > wall ? wall : wall;' },
    {
      file: 'lib/clock.ts',
      from: 'this.#correction = isRight ? former :',
      to: 'this.#correction = least <= most ? former :',
    },
    {
      file: 'lib/store/batches/view.ts',
      from: '(verdict.isAhead === true || verdict.at <= clock.timeOf(this.#opened))',
      to: 'verdict.at <= clock.timeOf(this.#opened)',
    },
  ],
  // A writer that slept while its wall clock stood still goes on with a bulk request that others have cleaned up.
  'sleeping-writer': [
    { file: 'lib/clock.ts', from: 'steady() - started[1], slept())', to: 'steady() - started[1], 0 * slept())' },
  ],
  // A repeat with an Idempotency-Key is refused for what the first request has done.
  'refused-repeat': [
    {
      file: 'lib/http/perform-once.ts',
      from: 'isRefusal(error) ? await rereadRecord(claim) : undefined;',
      to: 'false ? await rereadRecord(claim) : undefined; void isRefusal;',
    },
  ],
};

/**
 * The edits that put the defect of a mutation back.
 *
 * @throws Error if there is no such mutation; the edits throw if a text does not occur exactly once.
 */
export function findMutation(name: string): Edits {
  const patches = mutations[name];
  if (patches === undefined) throw new Error(`there is no mutation ${name}, only ${Object.keys(mutations).join(', ')}`);
  const files = Map.groupBy(patches, ({ file }) => file);
  return new Map(Array.from(files, ([file, some]) => [file, (contents) => some.reduce(applyPatch, contents)]));
}

function applyPatch(contents: string, { file, from, to }: Patch): string {
  const parts = contents.split(from);
  if (parts.length !== 2) throw new Error(`${file} has ${parts.length - 1} times: ${from}`);
  return parts.join(to);
}
