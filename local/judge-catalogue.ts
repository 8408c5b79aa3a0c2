import type { DidKey, DidType } from '../lib/contract/schemas/did.ts';
import { accountName, rseName, scopeName } from '../lib/contract/schemas/names.ts';
import { findDidNameProblem } from '../lib/domain/values/did-names.ts';
import { type PathedRse, problemOfPaths } from './judge-paths.ts';

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

/** The things of a catalogue that a policy judges. */
export interface JudgedCatalogue {
  readonly accounts: () => AsyncIterable<string>;
  readonly scopes: () => AsyncIterable<string>;
  readonly rses: () => AsyncIterable<PathedRse>;
  /** Names of DIDs and activities of rules, in any order. */
  readonly rest: () => AsyncIterable<
    | { readonly did: DidKey & { readonly type: DidType } }
    | { readonly rule: { readonly id: string; readonly activity?: string | undefined } }
  >;
}

/** Names of a catalogue that the policy of this process would refuse. Reads all of the catalogue. */
export async function judgeCatalogue(catalogue: JudgedCatalogue): Promise<Finding[]> {
  const findings = new Map(
    ['accounts', 'scopes', 'RSEs', 'paths of RSEs', 'DIDs', 'activities of rules'].map((what) => [
      what,
      new Counter(what),
    ]),
  );
  const count = (what: string, problem: string | undefined, name?: string) => findings.get(what)?.count(problem, name);
  for await (const name of catalogue.accounts()) count('accounts', problemOf(accountName, name));
  for await (const name of catalogue.scopes()) count('scopes', problemOf(scopeName, name));
  for await (const rse of catalogue.rses()) {
    count('RSEs', problemOf(rseName, rse.rse));
    count('paths of RSEs', problemOfPaths(rse));
  }
  for await (const found of catalogue.rest()) {
    if ('did' in found) {
      const { scope, name, type } = found.did;
      count('DIDs', findDidNameProblem({ scope, name }, type), `${type} ${scope}:${name}`);
    } else {
      const { id, activity } = found.rule;
      const isKnown = activity === undefined || policy.activities.includes(activity);
      count('activities of rules', isKnown ? undefined : `'${activity}' is no activity`, id);
    }
  }
  return [...findings.values()];
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
