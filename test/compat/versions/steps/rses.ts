/** RSEs and quotas. */
import { expect } from 'vitest';

import type { Step } from './step.ts';

const place = '--scheme file --prefix {folder}/';
const how = '--port 0 --impl rucio.rse.protocols.posix.Default --domain-json {domains}';

/** Steps with RSEs. */
export const rses: readonly Step[] = [
  ...['ONE', 'TWO'].flatMap((rse): Step[] => [
    {
      name: `RSE add ${rse}`,
      former: `rucio-admin rse add ${rse}`,
      today: `rucio rse add ${rse}`,
      says: [new RegExp(`Added new deterministic RSE: (${rse}|<Group rse>)`)],
      reads: `/rses/${rse}`,
      holds: { rse, deterministic: true },
    },
    {
      name: `RSE protocol add ${rse}`,
      former: `rucio-admin rse add-protocol --hostname localhost ${place}${rse} ${how} ${rse}`,
      today: `rucio rse protocol add ${rse} {hostname} localhost ${place}${rse} ${how}`,
      says: [],
      reads: `/rses/${rse}/protocols`,
      holds: { scheme: 'file', hostname: 'localhost', impl: 'rucio.rse.protocols.posix.Default' },
    },
    {
      name: `quota ${rse}`,
      former: `rucio-admin account set-limits root ${rse} 10GB`,
      today: `rucio account limit {set} root --rse ${rse} --bytes 10GB`,
      says: [/Set account limit/],
      reads: '/accounts/root/limits/local',
      holds: { [rse]: 10_000_000_000 },
    },
  ]),
  {
    name: 'RSE attribute add',
    former: 'rucio-admin rse set-attribute --rse ONE --key tier --value 1',
    today: 'rucio rse attribute {set} ONE --key tier --value 1',
    says: [/Added new RSE attribute for ONE: tier-1/],
    reads: '/rses/ONE/attr/',
    holds: { tier: expect.anything() },
  },
  {
    name: 'RSE attribute list',
    former: 'rucio list-rse-attributes ONE',
    today: 'rucio rse attribute list ONE',
    says: [/tier\W+1/],
    reads: '/rses/ONE/attr/',
    holds: { ONE: true },
  },
  {
    name: 'RSE list',
    former: 'rucio list-rses',
    today: 'rucio rse list',
    says: [/\bONE\b/, /\bTWO\b/],
    reads: '/rses/',
    holds: { rse: 'TWO' },
  },
  {
    name: 'RSE list by expression',
    former: 'rucio list-rses --rses tier=1',
    today: 'rucio rse list --rses tier=1',
    says: [/^\s*\W*ONE\b(?![\s\S]*TWO)/m],
    reads: '/rses/?expression=tier%3D1',
    holds: { rse: 'ONE' },
  },
  {
    name: 'RSE info',
    former: 'rucio-admin rse info ONE',
    today: 'rucio rse show ONE',
    says: [/rse(_name)?: +ONE/i, /file/],
    reads: '/rses/ONE',
    holds: { rse: 'ONE' },
  },
  {
    name: 'quota list',
    former: 'rucio list-account-limits root',
    today: 'rucio account limit list root',
    says: [/ONE\W+.*\b(10\.000 GB|10000000000)\b/],
    reads: '/accounts/root/limits',
    holds: { ONE: 10_000_000_000 },
  },
];
