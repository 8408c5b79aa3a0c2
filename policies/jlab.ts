import { definePolicy, type ScopeRule } from '../lib/policy/policy.ts';
import generic from './generic.ts';

/** Names hold no scope: the original takes it from the text before a colon, which no logical file name has. */
const noScope: ScopeRule = () => undefined;

/** Jefferson Lab. */
export default definePolicy(generic, {
  name: 'jlab',
  about: 'Jefferson Lab',
  source: 'jlab-rucio-policy-package 0.0.1a5 (PyPI)',
  did: { pattern: String.raw`^/[A-Za-z0-9\.\-\_\+\/\=\:]+$`, longest: 250 },
  account: { pattern: '^[a-zA-Z0-9-_]+$', longest: 25 },
  activities: [
    'Data Brokering',
    'Data Consolidation',
    'Data rebalancing',
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
    'DAC21',
  ],
  paths: { ...generic.paths, jlab: '{name}' },
  defaultPath: 'jlab',
  scopeOfName: { ...generic.scopeOfName, jlab: noScope },
  leftOut: [
    {
      what: 'scope extraction by the client',
      why: 'the client reads `scope:name` itself; on the server only `/dirac/addfiles` finds scopes in names, which have no colon there',
    },
  ],
});
