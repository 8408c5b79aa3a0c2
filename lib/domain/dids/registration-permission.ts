import type { DidElement, DidKey } from '../../contract/schemas/did.ts';
import { fail } from '../../errors.ts';
import type { Integer } from '../../integer.ts';
import { pythonRepr } from '../../python/text.ts';
import { getLocalLimit } from '../../store/entities/account-limit.ts';
import type { Rse } from '../../store/entities/rse.ts';
import { authorize, isPermitted } from '../permission/authorize.ts';
import { cachedFacts } from '../permission/facts.ts';
import { isRootOrAdmin, movesData, subjectOf } from '../permission/subject.ts';
import type { Context } from '../values/context.ts';
import { believesSizes, requireCredible } from './claimed-sizes.ts';
import type { DidDraft } from './did-draft.ts';

/** A file of which a replica is registered; its size counts if it is new. */
export type RegisteredFile = DidKey & { readonly bytes?: Integer | null | undefined };

/**
 * Checks whether the issuer may register the replicas and files of a request, on any route. Caches account limits for
 * the duration of the request.
 */
export class RegistrationPermission {
  readonly #context: Context;
  readonly #limits = new Map<string, Promise<boolean>>();

  constructor(context: Context) {
    this.#context = context;
  }

  /**
   * Requires permission for replicas of files on an RSE, new or existing.
   *
   * @param draft Knows which files exist.
   * @throws AccessDenied (401); RSEOverQuota, InsufficientAccountLimit (409) for sizes that are not credible.
   */
  async requireReplicas(draft: Pick<DidDraft, 'find'>, rse: Rse, files: readonly RegisteredFile[]): Promise<void> {
    await authorize(this.#context, 'add_replicas', {
      rseName: rse.rse,
      rses: () => Promise.resolve([rse]),
      files: async () => files.map((file) => ({ scope: file.scope, account: draft.find(file)?.account })),
      hasLimit: () => this.#hasLimit(rse),
    });
    if (believesSizes(rse)) await this.#requireCredible(draft, rse, files);
  }

  /** Refuses files that cannot be on the storage. Accounts that answer for the storage, or move its files, may register any file. */
  async #requireCredible(draft: Pick<DidDraft, 'find'>, rse: Rse, files: readonly RegisteredFile[]): Promise<void> {
    const { store, issuer } = this.#context;
    const subject = subjectOf(issuer.account, cachedFacts(store));
    if ((await isRootOrAdmin(subject)) || (await movesData(subject))) return;
    const claims = files.flatMap(({ scope, name, bytes }) => {
      const known = draft.find({ scope, name });
      if (known?.type === 'FILE' && known.replicas.has(rse.id)) return [];
      return [{ scope, name, bytes: known?.bytes ?? bytes ?? 0 }];
    });
    await requireCredible(store.table.latest(), rse, issuer.account, claims);
  }

  /**
   * Requires permission for the new replicas and new files of an attachment with an RSE.
   *
   * @throws AccessDenied (401).
   */
  async requireRegistration(draft: DidDraft, rse: Rse, elements: readonly DidElement[]): Promise<void> {
    const placed = elements.filter((element) => {
      const did = draft.find(element);
      return did?.type !== 'FILE' || !did.replicas.has(rse.id);
    });
    if (placed.length === 0) return;
    await this.requireReplicas(draft, rse, placed);
    await this.requireFiles(
      rse,
      placed.filter((element) => draft.find(element) === undefined),
    );
  }

  /**
   * Requires permission for new files in their scopes. Permission for replicas on the RSE does not imply it.
   *
   * @throws AccessDenied (401).
   */
  async requireFiles({ rse }: Rse, files: readonly DidKey[]): Promise<void> {
    if (files.length === 0) return;
    const scopes = files.map(({ scope }) => scope);
    if (await isPermitted(this.#context, 'add_dids', { scopes, ruleAccounts: [], locksRules: false })) return;
    const list = files
      .map(
        ({ scope, name }) =>
          `{'scope': ${pythonRepr(scope)}, 'name': ${pythonRepr(name)}, 'type': <DIDType.FILE: 'F'>}`,
      )
      .join(', ');
    fail(
      'AccessDenied',
      `Operation involves the following new files which will require the creation of new DIDs:\n[${list}]\n` +
        `However, account ${this.#context.issuer.account} can not add file DIDs on ${rse}`,
    );
  }

  /**
   * Requires permission for files that are attached to an archive: the archive becomes a source of them, and missing
   * ones are created.
   *
   * @throws AccessDenied (401).
   */
  async requireConstituents(files: readonly DidKey[]): Promise<void> {
    if (files.length === 0) return;
    const scopes = files.map(({ scope }) => scope);
    await authorize(this.#context, 'add_dids', { scopes, ruleAccounts: [], locksRules: false });
  }

  #hasLimit({ id }: Rse): Promise<boolean> {
    const known = this.#limits.get(id) ?? this.#readLimit(id);
    this.#limits.set(id, known);
    return known;
  }

  async #readLimit(rseId: string): Promise<boolean> {
    const { store, issuer } = this.#context;
    const limit = await getLocalLimit(store.table, issuer.account, rseId);
    return limit !== undefined && limit !== 0;
  }
}
