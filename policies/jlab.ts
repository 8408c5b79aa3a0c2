import { definePolicy } from '../lib/policy/policy.ts';
import { scopeBeforeColon } from '../lib/policy/scope-of-name.ts';
import generic from './generic.ts';
import rights from './rights/jlab.ts';
import { formerActivities } from './shared/former-activities.ts';

/** Jefferson Lab. */
export default definePolicy(generic, {
  name: 'jlab',
  about: 'Jefferson Lab',
  source: 'jlab-rucio-policy-package 0.0.1a5 (PyPI)',
  did: { pattern: String.raw`^/[A-Za-z0-9\.\-\_\+\/\=\:]+$`, longest: 250 },
  account: { pattern: '^[a-zA-Z0-9-_]+$', longest: 25 },
  activities: [...formerActivities, 'Data Challenge', 'DAC21'],
  paths: { ...generic.paths, jlab: '{name}' },
  defaultPath: 'jlab',
  scopeOfName: { ...generic.scopeOfName, jlab: scopeBeforeColon },
  rights,
});
