import type { Rights } from './rights.ts';

/** Rules for names of one kind. */
export interface NameRule {
  /** A regular expression as Rucio's policy packages have it: it must be found in the name, and refusals show it. */
  readonly pattern: string;
  /** The same as a regular expression that takes linear time, where `pattern` does not. */
  readonly linear?: string;
  /** The most characters; absent: the pattern tells. */
  readonly longest?: number;
  /** Whether a name that is too long and does not fit is refused for its pattern; absent: for its length. */
  readonly isPatternFirst?: boolean;
}

/** The types of DIDs. */
export type TypeOfDid = 'FILE' | 'DATASET' | 'CONTAINER';

/** A file for which a path is computed. */
export interface PathedFile {
  readonly scope: string;
  readonly name: string;
}

/** A file that is copied to a non-deterministic RSE, with the dataset that it is copied for. */
export interface CopiedFile extends PathedFile {
  readonly dataset: string;
}

/**
 * A path of a file: a template (lib/policy/template.ts), or a function where a template does not do. A function throws an Error
 * for a file that has no path.
 */
export type PathRule<F extends PathedFile> = string | ((file: F) => string);

/** Finds the scope in a logical file name; undefined: it names none. `hasScope` tells whether a scope exists. */
export type ScopeRule = (name: string, hasScope: (scope: string) => boolean) => string | undefined;

/** A rule of the original that the policy leaves out, and why. */
export interface Omission {
  readonly what: string;
  readonly why: string;
}

/** Choices of an experiment: its names, lists, activities and paths. */
export interface Policy {
  /** The name that `--policy` takes; also that of its file. */
  readonly name: string;
  /** Whose it is, in a few words. */
  readonly about: string;
  /** Its source: package or repository, and version. */
  readonly source: string;
  readonly scope: NameRule;
  readonly did: NameRule;
  /** Rules for names of DIDs of a type, beside `did`. */
  readonly didOfType: Readonly<Partial<Record<TypeOfDid, NameRule>>>;
  /** Why no DID may have a name that fits the patterns; in Rucio's words. */
  readonly refuse?: (did: PathedFile, type: TypeOfDid) => string | undefined;
  readonly account: NameRule;
  readonly accountAttribute: NameRule;
  readonly rse: NameRule;
  /** The purposes of transfers that rules and subscriptions may name. */
  readonly activities: readonly string[];
  /** The most elements of lists in bodies. */
  readonly lists: {
    /** DIDs, replicas and attachments that are created. */
    readonly created: number;
    /** DIDs and replicas that are named. */
    readonly named: number;
  };
  /** The algorithms of deterministic RSEs, by the value of `lfn2pfn_algorithm`. */
  readonly paths: Readonly<Record<string, PathRule<PathedFile>>>;
  /** The algorithm of RSEs that name none, or `default`. */
  readonly defaultPath: string;
  /** The paths of copies on non-deterministic RSEs, by the value of `naming_convention`. */
  readonly copyPaths: Readonly<Record<string, PathRule<CopiedFile>>>;
  /** The convention of RSEs that name none, or `def`. */
  readonly defaultCopyPath: string;
  /** How the scope is found in a logical file name, by the value of the option `common/extract_scope`. */
  readonly scopeOfName: Readonly<Record<string, ScopeRule>>;
  /** The value of that option if it is not set, or `def`. */
  readonly defaultScopeOfName: string;
  /** Rights by action; {@link usualRight} for one that is absent. */
  readonly rights: Rights;
  /** Parts of the original that are left out. */
  readonly leftOut: readonly Omission[];
}

/** Declares a policy on the base of another one, which decides everything that the declaration leaves out. */
export function definePolicy(base: Policy, own: Partial<Policy> & Pick<Policy, 'name' | 'about' | 'source'>): Policy {
  return { ...base, leftOut: [], ...own };
}
