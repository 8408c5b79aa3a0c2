import { dq2Path } from '../lib/policy/dq2-path.ts';
import type { Policy } from '../lib/policy/policy.ts';
import { builtInScopeRules } from '../lib/policy/scope-of-name.ts';
import rights from './rights/generic.ts';

/** Rucio without a policy package. */
export default {
  name: 'generic',
  about: 'Rucio without a policy package',
  source: 'rucio 41.5.1 (PyPI): rucio.common.schema.generic, rucio.rse.translation, rucio.common.utils',
  scope: { pattern: String.raw`^[a-zA-Z_\-.0-9]+$`, longest: 25 },
  did: { pattern: String.raw`^[/A-Za-z0-9][/A-Za-z0-9\.\-_]*$`, longest: 250 },
  didOfType: {},
  account: { pattern: '^[a-z0-9-_]+$', longest: 25 },
  accountAttribute: { pattern: String.raw`^[a-zA-Z0-9-_\\/\\.]{1,30}$` },
  rse: { pattern: '^([A-Z0-9]+([_-][A-Z0-9]+)*)$' },
  activities: [
    'Data Brokering',
    'Data Consolidation',
    'Data Rebalancing',
    'Debug',
    'Express',
    'Functional Test',
    'Group Subscriptions',
    'Production Input',
    'Production Output',
    'Analysis Input',
    'Analysis Output',
    'Staging',
    'T0 Export',
    'T0 Tape',
    'Upload/Download (Job)',
    'Upload/Download (User)',
    'User Subscriptions',
    'Data Challenge',
  ],
  lists: { created: 1_000, named: 1_000 },
  paths: { hash: '{folder(scope)}/{md5[0:2]}/{md5[2:4]}/{name}', identity: '{folder(scope)}/{name}' },
  defaultPath: 'hash',
  copyPaths: { def: dq2Path },
  defaultCopyPath: 'def',
  scopeOfName: builtInScopeRules,
  defaultScopeOfName: 'dirac',
  rights,
  leftOut: [],
} satisfies Policy as Policy;
