import { definePolicy } from '../lib/policy/policy.ts';
import generic from './generic.ts';
import { formerActivities } from './shared/former-activities.ts';

/** IceCube. */
export default definePolicy(generic, {
  name: 'icecube',
  about: 'IceCube',
  source: 'rucio 32.8.6 (git): rucio.common.schema.icecube',
  account: { pattern: '^[a-z0-9-_]{1,25}$' },
  scope: { pattern: String.raw`^[a-zA-Z_\-.0-9]{1,25}$` },
  did: { pattern: String.raw`^\/[A-Za-z0-9][A-Za-z0-9\\.\\-\\_\/\#]{1,500}$` },
  activities: formerActivities,
  leftOut: [
    {
      what: 'backslashes in names',
      why: 'storages read them in different ways; the original allows them by an escape too many, by which it refuses `-`',
    },
    {
      what: '`#` in names of files',
      why: 'a URL ends there: another file would be read; datasets and containers may have it',
    },
  ],
});
