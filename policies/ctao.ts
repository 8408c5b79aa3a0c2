import { definePolicy, type ScopeRule } from '../lib/policy/policy.ts';
import generic from './generic.ts';

/** The second folder of a logical file name; of users their own scope, and of what is above all these `root`. */
const ctaoScope: ScopeRule = (name) => {
  const colon = name.lastIndexOf(':');
  const scope = scopeOfLfn(name.slice(colon + 1));
  // A scope that stands before the name must be the same one.
  return colon < 1 || name.slice(0, colon) === scope ? scope : undefined;
};

function scopeOfLfn(lfn: string): string | undefined {
  if (!lfn.startsWith('/')) return undefined;
  const [, second, , user] = lfn.split('/').filter((part) => part !== '');
  if (second === undefined) return 'root';
  if (second !== 'user') return second;
  return user === undefined ? 'root' : `user.${user}`;
}

/** The Cherenkov Telescope Array Observatory. */
export default definePolicy(generic, {
  name: 'ctao',
  about: 'Cherenkov Telescope Array Observatory (CTAO)',
  source: 'ctao-bdms-rucio-policy 0.6.0 (PyPI)',
  did: { pattern: String.raw`^/[A-Za-z0-9][/A-Za-z0-9\.\-_]*$`, longest: 250 },
  accountAttribute: { pattern: String.raw`^[a-zA-Z0-9-_\\/\\.:]+$`, longest: 255, isPatternFirst: true },
  paths: { ...generic.paths, ctao_bdms: '{name}' },
  defaultPath: 'ctao_bdms',
  scopeOfName: { ...generic.scopeOfName, ctao_bdms: ctaoScope },
  defaultScopeOfName: 'ctao_bdms',
});
