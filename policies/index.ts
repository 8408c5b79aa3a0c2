import type { Policy } from '../lib/policy/policy.ts';

/** The policies that come with Dapple, each read when it is asked for. */
export const policies: Readonly<Record<string, () => Promise<{ readonly default: Policy }>>> = {
  atlas: () => import('./atlas.ts'),
  belleii: () => import('./belleii.ts'),
  cms: () => import('./cms.ts'),
  ctao: () => import('./ctao.ts'),
  eic: () => import('./eic.ts'),
  escape: () => import('./escape.ts'),
  generic: () => import('./generic.ts'),
  icecube: () => import('./icecube.ts'),
  igwn: () => import('./igwn.ts'),
  jlab: () => import('./jlab.ts'),
  lsst: () => import('./lsst.ts'),
  pic: () => import('./pic.ts'),
};
