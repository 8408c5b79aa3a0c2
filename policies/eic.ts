import { definePolicy } from '../lib/policy/policy.ts';
import { scopeBeforeColon } from '../lib/policy/scope-of-name.ts';
import generic from './generic.ts';
import rights from './rights/eic.ts';
import { formerActivities } from './shared/former-activities.ts';

/** The Electron-Ion Collider. */
export default definePolicy(generic, {
  name: 'eic',
  about: 'the Electron-Ion Collider',
  source: 'eic-rucio-policy-package 0.1.2 (PyPI)',
  did: { pattern: String.raw`^/[A-Za-z0-9\.\-\_\+\/\=\:]+$`, longest: 250 },
  account: { pattern: '^[a-zA-Z0-9-_]+$', longest: 25 },
  activities: [...formerActivities, 'Data Challenge', 'DAC21'],
  paths: { ...generic.paths, eic: '{name}' },
  defaultPath: 'eic',
  copyPaths: { ...generic.copyPaths, eic: '{dataset}/{name}' },
  defaultCopyPath: 'eic',
  scopeOfName: { ...generic.scopeOfName, eic: scopeBeforeColon },
  rights,
});
