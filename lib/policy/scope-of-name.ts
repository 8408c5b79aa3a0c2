import type { ScopeRule } from './policy.ts';

/** Rucio's conventions for the scope in a logical file name, which every policy has beside its own. */
export const builtInScopeRules = {
  /** The text before a colon; without one that before the first dot, of users and groups before the second one. */
  def: (name) => {
    if (name.includes(':')) {
      const [scope = '', rest = '', ...more] = name.split(':');
      return scope === '' || rest === '' || more.length > 0 ? undefined : scope;
    }
    const parts = name.split('.');
    return name.startsWith('user') || name.startsWith('group') ? parts.slice(0, 2).join('.') : parts[0];
  },
  /** The second folder, such as in `/vo/scope/file`, or the only one. */
  dirac: (name) => {
    const parts = name.replace(/\/+$/, '').split('/');
    return parts.length > 2 ? parts[2] : parts[1];
  },
} satisfies Record<string, ScopeRule>;

/** The convention of the EIC and Jefferson Lab: what precedes the first colon; names of users and groups begin with their folder. */
export const scopeBeforeColon: ScopeRule = (name) => {
  const colon = name.indexOf(':');
  if (colon === -1) return undefined;
  const scope = name.slice(0, colon);
  if (!/^(?:user|group)/.test(scope)) return scope;
  const owner = scope.split('.')[1];
  return owner !== undefined && name.slice(colon + 1).startsWith(`/${owner}`) ? scope : undefined;
};
