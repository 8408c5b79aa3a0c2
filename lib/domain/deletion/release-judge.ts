import type { Table } from '../../store/batches/table.ts';
import { getAccount } from '../../store/entities/account.ts';
import type { FileDid, Replica } from '../../store/entities/did.ts';
import { getScope } from '../../store/entities/scope.ts';
import { isLetGo, makerOf } from '../locks/freed-by.ts';
import { isRootOrAdmin, subjectOf } from '../permission/subject.ts';

/**
 * Author of the release of a replica: `owner`: the owner of its scope, the creator of the file or an administrator; `maker`: only the
 * account that has registered it, or for whose rule it was made; `nobody` of these; `unknown`: it had a tombstone of its own.
 */
export type Release = 'owner' | 'maker' | 'nobody' | 'unknown';

/** Judges who has let replicas go (`lib/domain/locks/freed-by.ts`). */
export class ReleaseJudge {
  readonly #table: Table;
  /** By account and scope. */
  readonly #verdicts = new Map<string, Promise<boolean>>();

  /** @param table A view of the latest committed state. */
  constructor(table: Table) {
    this.#table = table;
  }

  /** Costs a read for each account and for each scope that must be asked about, once for all files. */
  async judge(file: FileDid, replica: Replica): Promise<Release> {
    const { freedBy } = replica;
    if (freedBy === undefined) return 'unknown';
    if (isLetGo(file, replica)) return 'owner';
    for (const account of freedBy) if (await this.#maySay(account, file.scope)) return 'owner';
    return freedBy.includes(makerOf(file, replica)) ? 'maker' : 'nobody';
  }

  #maySay(account: string, scope: string): Promise<boolean> {
    const key = `${account} ${scope}`;
    const verdict = this.#verdicts.get(key) ?? this.#read(account, scope);
    this.#verdicts.set(key, verdict);
    return verdict;
  }

  async #read(account: string, scope: string): Promise<boolean> {
    const facts = {
      account: (name: string) => getAccount(this.#table, name),
      scope: (name: string) => getScope(this.#table, name),
    };
    const subject = subjectOf(account, facts);
    return (await subject.owns(scope)) || isRootOrAdmin(subject);
  }
}
