import { definePolicy } from '../lib/policy/policy.ts';
import generic from './generic.ts';
import rights from './rights/escape.ts';

/** ESCAPE. */
export default definePolicy(generic, {
  name: 'escape',
  about: 'ESCAPE, the data lake of the European science cluster',
  source: 'escape-rucio-policy-package 0.2.2 (PyPI)',
  did: { pattern: String.raw`^[A-Za-z0-9][A-Za-z0-9\.\-\_]*$`, longest: 250 },
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
  rights,
});
