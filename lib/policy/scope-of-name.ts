import type { ScopeRule } from './policy.ts';

/** Rucio's conventions for the scope in a logical file name, which every policy has beside its own. */
export const builtInScopeRules = {
  /** The text before the first dot; of users and groups before the second one. */
  def: (name) => {
    const parts = name.split('.');
    return name.startsWith('user') || name.startsWith('group') ? parts.slice(0, 2).join('.') : parts[0];
  },
  /** The second folder, such as in `/vo/scope/file`, or the only one. */
  dirac: (name) => {
    const parts = name.replace(/\/+$/, '').split('/');
    return parts.length > 2 ? parts[2] : parts[1];
  },
} satisfies Record<string, ScopeRule>;
