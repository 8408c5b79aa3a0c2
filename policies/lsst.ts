import { type CopiedFile, definePolicy } from '../lib/policy/policy.ts';
import generic from './generic.ts';
import rights from './rights/lsst.ts';

/** The tape at SLAC. */
function archivePath({ dataset, scope, name }: CopiedFile): string {
  return `/archive/${dataset}~/${scope}:${name}`.replaceAll('%', '%25').replaceAll('#', '%23');
}

/** The Vera C. Rubin Observatory. */
export default definePolicy(generic, {
  name: 'lsst',
  about: 'Vera C. Rubin Observatory (LSST)',
  source: 'RubinRucioPolicy (git, slaclab/RubinRucioPolicy 837d8899 of 1 October 2025)',
  did: { pattern: String.raw`^[\w\.\-\+\~/]*$`, longest: 500 },
  paths: { ...generic.paths, lsst_butler: '{name}' },
  copyPaths: { ...generic.copyPaths, lsst_usdftape: archivePath },
  rights,
  leftOut: [
    { what: 'letters that are not ASCII in names', why: 'storages and clients write them in different bytes' },
    { what: 'names that are empty or end in a slash', why: 'they name no file' },
    {
      what: 'the registration of `lsst_usdftape` as a `surl` algorithm',
      why: 'Rucio has none of that kind since version 37; it is a naming convention',
    },
  ],
});
