import { dq2Path } from '../lib/policy/dq2-path.ts';
import { type CopiedFile, definePolicy } from '../lib/policy/policy.ts';
import generic from './generic.ts';
import rights from './rights/atlas.ts';

/** The convention of the Tier-0. */
function tier0Path({ dataset, name }: CopiedFile): string {
  const [project = '', second = 'other', third = 'other', ...more] = dataset.split('.');
  if (second !== 'other' && third === 'other' && more.length === 0) throw new Error(`${dataset} has two fields`);
  return `/${project}/${third}/${second}/${dataset}/${name}`;
}

/** ATLAS. */
export default definePolicy(generic, {
  name: 'atlas',
  about: 'ATLAS',
  source: 'atlas-rucio-policy-package 0.8.6 (PyPI)',
  scope: { pattern: String.raw`^[a-zA-Z_\-.0-9]{1,25}$` },
  did: { pattern: String.raw`^[A-Za-z0-9][A-Za-z0-9\.\-\_]{1,250}$` },
  account: { pattern: '^[a-z0-9-_]{1,25}$' },
  activities: [
    'Analysis Input',
    'Analysis Output',
    'Data Carousel Analysis',
    'Data Carousel Production',
    'Data Challenge',
    'Data Consolidation',
    'Data Rebalancing',
    'Express',
    'Functional Test',
    'Production Input',
    'Production Output',
    'T0 Export',
    'T0 Recall',
    'T0 Tape Derived',
    'T0 Tape RAW',
    'User Subscriptions',
  ],
  lists: { created: 3_000, named: 30_000 },
  copyPaths: {
    ...generic.copyPaths,
    T0: tier0Path,
    DQ2: dq2Path,
    atlas_t0_non_deterministic_pfn: tier0Path,
    atlas_dq2_non_deterministic_pfn: dq2Path,
  },
  rights,
  leftOut: [
    {
      what: 'lists of any length',
      why: 'one request must not occupy a server: 3,000 created or deleted, 30,000 named',
    },
    {
      what: 'errors of the path `DQ2`',
      why: 'the original calls functions that it cannot see, and fails for most datasets; Dapple has the path that it means',
    },
    { what: 'metadata of files on tape for FTS', why: 'Dapple hands FTS no hints for tape' },
    { what: 'PFN to name', why: 'Dapple finds the file of a PFN by the paths that it has given' },
    {
      what: 'the account `ddmadmin`, which may do what root may',
      why: 'give it the attribute `admin`; only root changes root',
    },
    { what: 'country administrators who set attributes of RSEs, or move rules', why: 'Dapple asks an admin' },
    { what: 'rights of whoever registered a DID in the scope `archive`', why: 'the owner of the scope has them' },
  ],
});
