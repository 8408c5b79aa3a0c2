import { definePolicy } from '../lib/policy/policy.ts';
import generic from './generic.ts';
import rights from './rights/escape.ts';
import { formerActivities } from './shared/former-activities.ts';

/** ESCAPE. */
export default definePolicy(generic, {
  name: 'escape',
  about: 'ESCAPE, the data lake of the European science cluster',
  source: 'escape-rucio-policy-package 0.2.2 (PyPI)',
  did: { pattern: String.raw`^[A-Za-z0-9][A-Za-z0-9\.\-\_]*$`, longest: 250 },
  account: { pattern: '^[a-zA-Z0-9-_]+$', longest: 25 },
  activities: [...formerActivities, 'Data Challenge', 'DAC21'],
  rights,
});
