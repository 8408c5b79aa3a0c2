import { type Rights, usualRight } from '../../lib/policy/rights.ts';
import generic, { registersReplicas } from './generic.ts';

/** Rights at ESCAPE. */
export default {
  ...generic,
  add_dids: usualRight,
  add_replicas: registersReplicas(
    '(CERN-EOSPILOT|CNAF-STORM|DESY-DCACHE|IN2P3_LAPP-DCACHE|INFN_NAPOLI-DCACHE|PIC-DCACHE|MOCK|CESNET-S3)$',
  ),
  get_signed_url: { any: ['root', { has: 'sign-gcs' }] },
} satisfies Rights as Rights;
