import { accountName, rseName, scopeName } from '../lib/contract/schemas/names.ts';
import { algorithmKey, algorithmNames } from '../lib/domain/rses/pfn/path-algorithms.ts';
import { findDidNameProblem } from '../lib/domain/values/did-names.ts';
import { listAccounts } from '../lib/store/entities/account.ts';
import { getFleet } from '../lib/store/entities/rse-fleet.ts';
import type { Rse } from '../lib/store/entities/rse.ts';
import { listScopes } from '../lib/store/entities/scope.ts';
import type { Store } from '../lib/store/open-store.ts';
import { scanEntities } from '../lib/store/portable/scan-entities.ts';

import policy from '#policy';

/** Verdict of the policy about the things of one kind. */
export interface Finding {
  readonly what: string;
  readonly checked: number;
  /** A line for each that could not be made any more. */
  readonly refused: readonly string[];
}

interface Named {
  safeParse(name: string): {
    readonly error?: { readonly issues: readonly { readonly message: string }[] } | undefined;
  };
}

/** Names of a catalogue that the policy of this process would refuse. Reads all of the table. */
export async function judgeCatalogue(store: Store): Promise<Finding[]> {
  const { table } = store;
  const { live } = await getFleet(table);
  const accounts = await Array.fromAsync(listAccounts(table), ({ account }) => account);
  const scopes = await Array.fromAsync(listScopes(table), ({ scope }) => scope);
  const findings = [
    judge('accounts', accounts, (name) => problemOf(accountName, name)),
    judge('scopes', scopes, (name) => problemOf(scopeName, name)),
    judge(
      'RSEs',
      live.map(({ rse }) => rse),
      (name) => problemOf(rseName, name),
    ),
    judge('paths of RSEs', live, problemOfPaths),
  ];
  const dids = new Counter('DIDs');
  const rules = new Counter('activities of rules');
  for await (const found of scanEntities(store)) {
    if (found.kind === 'did') {
      const { scope, name, type } = found.did;
      dids.count(findDidNameProblem({ scope, name }, type), `${type} ${scope}:${name}`);
    } else if (found.kind === 'rule') {
      const { id, activity } = found.rule;
      const isKnown = activity === undefined || policy.activities.includes(activity);
      rules.count(isKnown ? undefined : `'${activity}' is no activity`, id);
    }
  }
  return [...findings, dids, rules];
}

function judge<T>(what: string, all: readonly T[], problem: (one: T) => string | undefined): Finding {
  const counter = new Counter(what);
  for (const one of all) counter.count(problem(one));
  return counter;
}

class Counter implements Finding {
  readonly what: string;
  readonly refused: string[] = [];
  checked = 0;

  constructor(what: string) {
    this.what = what;
  }

  count(problem: string | undefined, name?: string): void {
    this.checked += 1;
    if (problem !== undefined) this.refused.push(name === undefined ? problem : `${name}: ${problem}`);
  }
}

function problemOf(schema: Named, name: string): string | undefined {
  return schema.safeParse(name).error?.issues[0]?.message;
}

/** An RSE without the algorithm that it names has no paths; one that names none has those of the default. */
function problemOfPaths({ rse, attributes, deterministic }: Rse): string | undefined {
  const name = attributes[algorithmKey];
  if (!deterministic || (name && algorithmNames.includes(String(name)))) return undefined;
  return name
    ? `${rse} has the lfn2pfn_algorithm ${String(name)}, which the policy does not have: nobody would find its files`
    : policy.defaultPath === 'hash'
      ? undefined
      : `${rse} names no lfn2pfn_algorithm: its files would be at the paths of ${policy.defaultPath}, set it to the former default`;
}
