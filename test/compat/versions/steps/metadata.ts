/** Metadata, the states of collections, configuration, and what takes away. */
import { expect } from 'vitest';

import type { Step } from './step.ts';

/** Steps with metadata and configuration. */
export const metadata: readonly Step[] = [
  {
    name: 'metadata set',
    former: 'rucio set-metadata --did data:run1 --key campaign --value mc26',
    today: 'rucio did metadata {set} data:run1 --key campaign --value mc26',
    says: [],
    reads: '/dids/data/run1/meta',
    holds: { campaign: 'mc26' },
  },
  {
    name: 'metadata get',
    former: 'rucio get-metadata data:run1',
    today: 'rucio did metadata list data:run1',
    says: [/campaign: +mc26/],
    reads: '/dids/data/run1/meta',
    holds: { name: 'run1' },
  },
  {
    name: 'list DIDs with a filter',
    former: 'rucio list-dids data:* --short --filter {filter}',
    today: 'rucio did list data:* --short --filter {filter}',
    says: [/^(?![\s\S]*data:raw)[\s\S]*data:run1\b/],
    reads: '/dids/data/dids/search?type=all&campaign=mc26',
    holds: 'run1',
  },
  {
    name: 'close',
    former: 'rucio close data:run1',
    today: 'rucio did update --close data:run1',
    says: [/data:run1 has been closed/],
    reads: '/dids/data/run1',
    holds: { open: false },
  },
  {
    name: 'attach to what is closed',
    former: 'rucio attach data:run1 data:f2',
    today: 'rucio did content add --to-did data:run1 data:f2',
    exits: 'badly',
    says: [/is closed/],
    reads: '/dids/data/run1/dids',
    lacks: { name: 'f2' },
  },
  {
    name: 'config set',
    former: 'rucio-admin config set --section own --option colour --value blue',
    today: 'rucio config {set} --section own --key colour --value blue',
    says: [/colour/],
    reads: '/config/own/colour',
    holds: 'blue',
  },
  {
    name: 'config get',
    former: 'rucio-admin config get --section own --option colour',
    today: 'rucio config list --section own --key colour',
    says: [/colour[\s\S]*blue/],
    reads: '/config/own',
    holds: { colour: 'blue' },
  },
];

/** Steps that delete, at the end. */
export const ends: readonly Step[] = [
  {
    name: 'replica declare bad',
    former: 'rucio-admin replicas declare-bad --reason burnt {pfn}',
    today: 'rucio replica state update bad {pfn} --reason burnt',
    says: [],
    reads: '/replicas/bad/states?state=B&scope=data&name=f1',
    holds: { name: 'f1', rse: 'ONE' },
  },
  {
    name: 'RSE attribute delete',
    former: 'rucio-admin rse delete-attribute --rse ONE --key tier --value 1',
    today: 'rucio rse attribute {unset} ONE --attribute tier',
    says: [/Deleted RSE attribute for ONE: tier/],
    reads: '/rses/ONE/attr/',
    lacks: { tier: expect.anything() },
  },
  {
    name: 'quota delete',
    former: 'rucio-admin account delete-limits root TWO',
    today: 'rucio account limit {unset} root --rse TWO',
    says: [/Deleted account limit/],
    reads: '/accounts/root/limits/local',
    lacks: { TWO: expect.anything() },
  },
  {
    name: 'erase',
    former: 'rucio erase data:raw',
    today: 'rucio did remove data:raw',
    says: [/./],
    reads: '/dids/data/raw/meta',
    holds: { expired_at: expect.any(String) },
  },
  {
    name: 'account ban',
    former: 'rucio-admin account ban --account alice',
    today: 'rucio account update alice --ban',
    says: [/alice.* banned/],
    reads: '/accounts/alice',
    holds: { status: 'SUSPENDED' },
  },
];
