import { randomBytes } from 'node:crypto';

import { replicaQuery } from '../../lib/contract/schemas/replica.ts';
import type { Context } from '../../lib/domain/values/context.ts';
import { addAccount } from '../../lib/operations/accounts/add-account.ts';
import { addScope } from '../../lib/operations/accounts/add-scope.ts';
import { setLimitOnRse } from '../../lib/operations/accounts/set-account-limits.ts';
import { addDid } from '../../lib/operations/dids/add-dids.ts';
import { attachDids } from '../../lib/operations/dids/attach-dids.ts';
import { showDid } from '../../lib/operations/dids/get-did.ts';
import { listContent } from '../../lib/operations/dids/list-content.ts';
import { listRules } from '../../lib/operations/dids/list-rules-of-did.ts';
import { importFleet } from '../../lib/operations/fleet/import-fleet.ts';
import { addReplicas } from '../../lib/operations/replicas/add-replicas.ts';
import { listReplicas } from '../../lib/operations/replicas/list-replicas.ts';
import { readReplicaQuery } from '../../lib/operations/replicas/replica-query.ts';
import { addRse } from '../../lib/operations/rses/add-rse.ts';
import { addRules } from '../../lib/operations/rules/add-rules.ts';

/** Sizes of the catalogue, and the spread of its requests. */
export interface Mix {
  readonly scopes: number;
  readonly rses: number;
  readonly accounts: number;
  /** New files of a scope are named in ascending order, as those of a run of a detector. */
  readonly ascending: boolean;
}

/** A kind of request. */
export interface Operation {
  readonly what: string;
  readonly isWrite: boolean;
  /** The share of reads, or of writes. */
  readonly share: number;
  /** One request; `index` chooses scope, RSE and account in turn. */
  readonly run: (context: Context, index: number) => Promise<unknown>;
}

const filesOfDataset = 100;

/** RSEs that no request names: what makes the fleet as large as that of a large experiment. */
const otherRse = (index: number) => {
  const domains = { wan: { read: 1, write: 1, delete: 1 }, lan: { read: 1, write: 1, delete: 1 } };
  const impl = 'rucio.rse.protocols.gfal.Default';
  const place = { hostname: `storage${index}.example.org`, port: 1094, prefix: `/data/experiment/${index}/` };
  const rest = { ...place, impl, domains };
  const protocols = [
    { scheme: 'root', ...rest },
    { scheme: 'davs', ...rest },
  ];
  const [site, country] = [`SITE-${index}`, `country ${index % 60}`];
  return { attributes: { site, country, tier: index % 4, fts: `https://fts${index % 9}.example.org:8446` }, protocols };
};
const otherRses = 960;

const all = (rows: AsyncIterable<unknown>) => Array.fromAsync(rows);
const sizes = { bytes: 1_048_576, adler32: '0cc737eb' };

/** Requests that a mix is made of, on a catalogue that `seed` makes. */
export class Workload {
  readonly #mix: Mix;
  readonly #runs: number;
  #names = 0;

  /** @param runs How often each operation is run: each run has a file and a dataset of its own. */
  constructor(mix: Mix, runs: number) {
    this.#mix = mix;
    this.#runs = runs;
  }

  scope = (index: number) => `scope${index % this.#mix.scopes}`;
  rse = (index: number) => `DISK-${index % this.#mix.rses}`;
  account = (index: number) => (this.#mix.accounts === 1 ? 'root' : `user${index % this.#mix.accounts}`);

  /** The accounts, scopes and RSEs; a file on an RSE, a dataset of files and a dataset to fill for each run. */
  async seed(asRoot: () => Context): Promise<void> {
    const { scopes, rses, accounts } = this.#mix;
    for (let index = 0; index < (accounts === 1 ? 0 : accounts); index += 1)
      await addAccount(asRoot(), { account: this.account(index), type: 'USER', email: null });
    for (let index = 0; index < scopes; index += 1)
      await addScope(asRoot(), { scope: this.scope(index), account: 'root' });
    for (let index = 0; index < rses; index += 1) await addRse(asRoot(), this.rse(index), {});
    const others = Array.from({ length: otherRses }, (_none, index) => [`OTHER-${index}`, otherRse(index)] as const);
    await importFleet(asRoot(), { rses: Object.fromEntries(others) });
    for (let index = 0; index < rses * Math.max(1, accounts); index += 1)
      await setLimitOnRse(asRoot(), {
        account: this.account(Math.floor(index / rses)),
        rse: this.rse(index),
        bytes: -1,
      });
    for (let index = 0; index < this.#runs; index += 1) {
      const [scope, rse] = [this.scope(index), this.rse(index)];
      const dids = Array.from({ length: filesOfDataset }, (_none, at) => ({
        scope,
        name: `in.${index}.${at}`,
        ...sizes,
      }));
      await addDid(asRoot(), { scope, name: `data.${index}` }, { type: 'DATASET', rse, dids });
      await addDid(asRoot(), { scope, name: `target.${index}` }, { type: 'DATASET' });
      await addReplicas(asRoot(), {
        rse,
        files: [{ scope, name: `known.${index}`, ...sizes }],
        ignore_availability: false,
      });
    }
  }

  readonly operations: readonly Operation[] = [
    {
      what: 'register a file',
      isWrite: true,
      share: 0.5,
      run: (context, index) =>
        addReplicas(context, { rse: this.rse(index), files: [this.#newFile(index)], ignore_availability: false }),
    },
    {
      what: 'register and attach a file',
      isWrite: true,
      share: 0.4,
      run: (context, index) =>
        attachDids(
          context,
          { scope: this.scope(index), name: `target.${index}` },
          [this.#newFile(index)],
          this.rse(index),
        ),
    },
    {
      what: 'lock a file by a rule',
      isWrite: true,
      share: 0.1,
      run: (context, index) => {
        const dids = [{ scope: this.scope(index), name: `known.${index}` }];
        return addRules(context, { dids, account: this.account(index), copies: 1, rse_expression: this.rse(index) });
      },
    },
    {
      what: 'get a DID',
      isWrite: false,
      share: 0.4,
      run: (context, index) =>
        showDid(context, { scope: this.scope(index), name: `known.${index}` }, { dynamic: false }),
    },
    {
      what: 'list the replicas of a file',
      isWrite: false,
      share: 0.5,
      run: (context, index) => {
        const query = replicaQuery.parse({ dids: [{ scope: this.scope(index), name: `known.${index}` }] });
        return all(listReplicas(context, readReplicaQuery(query, {}, false)));
      },
    },
    {
      what: 'list a dataset of 100 files',
      isWrite: false,
      share: 0.05,
      run: (context, index) => all(listContent(context, { scope: this.scope(index), name: `data.${index}` })),
    },
    {
      what: 'list the rules of a file',
      isWrite: false,
      share: 0.05,
      run: (context, index) => all(listRules(context, { scope: this.scope(index), name: `known.${index}` })),
    },
  ];

  #newFile(index: number) {
    this.#names += 1;
    const name = this.#mix.ascending
      ? `raw.${String(this.#names).padStart(9, '0')}`
      : `${randomBytes(6).toString('hex')}.${this.#names}`;
    return { scope: this.scope(index), name, ...sizes };
  }
}
