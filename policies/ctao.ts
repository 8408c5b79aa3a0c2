import { definePolicy, type ScopeRule } from '../lib/policy/policy.ts';
import generic from './generic.ts';

/** The second folder of a logical file name; of users their own scope, and of what is above all these `root`. */
const ctaoScope: ScopeRule = (name) => {
  if (!name.startsWith('/')) return undefined;
  const [, second, , user] = name.split('/').filter((part) => part !== '');
  if (second === undefined) return 'root';
  if (second !== 'user') return second;
  return user === undefined ? 'root' : `user.${user}`;
};

/** The Cherenkov Telescope Array Observatory. */
export default definePolicy(generic, {
  name: 'ctao',
  about: 'Cherenkov Telescope Array Observatory (CTAO)',
  source: 'ctao-bdms-rucio-policy 0.6.0 (PyPI)',
  did: { pattern: String.raw`^/[A-Za-z0-9][/A-Za-z0-9\.\-_]*$`, longest: 250 },
  accountAttribute: { pattern: String.raw`^[a-zA-Z0-9-_\\/\\.:]+$`, longest: 255 },
  paths: { ...generic.paths, ctao_bdms: '{name}' },
  defaultPath: 'ctao_bdms',
  scopeOfName: { ...generic.scopeOfName, ctao_bdms: ctaoScope },
  defaultScopeOfName: 'ctao_bdms',
});
