import { definePolicy, type ScopeRule } from '../lib/policy/policy.ts';
import generic from './generic.ts';
import rights from './rights/belleii.ts';

/** The folders of simulations and the scopes of what is below them, the first that fits. */
const simulations: readonly (readonly [RegExp, string])[] = [
  [/^(?:BG|build|generic|log|mcprod|prerelease|release)/, 'mc'],
  [/^(?:cert|dirac|dr3|fab|hideki|merge|migration|skim|test)/, 'mc_tmp'],
  [/^[^/]*(?:fab|merge|skim)[^/]*\//, 'mc_tmp'],
  [/^[^/]*release[^/]*\//, 'mc'],
];

/** Productions of data by the convention before `proc11`. */
const formerProductions: ReadonlySet<string> = new Set([
  'GCR2c',
  'prod00000007',
  'prod6b',
  'proc7b',
  'proc8b',
  'Bucket4',
  'Bucket6test',
  'bucket6',
  'proc9',
  'bucket7',
  'SKIMDATAx1',
  'proc10Valid',
  'proc10',
  'SkimP10x1',
  'SkimP11x1',
  'SkimB9x1',
  'SkimB10x1',
  'SkimB11x1',
]);

/** Every other name, by its beginning. */
const beginnings: readonly (readonly [RegExp, string])[] = [
  [/^\/belle\/mock\//, 'mock'],
  [/^\/belle\/Raw\//, 'raw'],
  [/^\/belle\/hRaw/, 'hraw'],
  [/^\/belle\/(?:ddm\/functional_tests\/|ddm\/tests\/|test\/ddm_test)/, 'test'],
  [/^\/belle\/BG\//, 'data'],
  [/^\/belle\/collection/, 'collection'],
];

const firstOf = (table: readonly (readonly [RegExp, string])[], text: string) =>
  table.find(([beginning]) => beginning.test(text))?.[1];

const belleScope: ScopeRule = (name, hasScope) => {
  const parts = name.split('/');
  const [, , , third = '', fourth = ''] = parts;
  const known = (scope: string) => (hasScope(scope) ? scope : undefined);
  if (name.startsWith('/belle/MC/')) return firstOf(simulations, name.slice('/belle/MC/'.length)) ?? 'mc_tmp';
  if (name.startsWith('/belle/user/')) {
    const nested = parts.length > 4 && third.length === 1 ? known(`user.${fourth}`) : undefined;
    return nested ?? (parts.length > 3 ? known(`user.${third}`) : undefined) ?? 'user';
  }
  if (name.startsWith('/belle/group/')) return (parts.length > 4 ? known(`group.${fourth}`) : undefined) ?? 'group';
  if (/^\/belle\/[dD]ata\//.test(name)) return scopeOfData(parts);
  return firstOf(beginnings, name) ?? 'other';
};

function scopeOfData(parts: readonly string[]): string {
  const [, , , third = '', fourth = '', , sixth = ''] = parts;
  if (parts.length > 4 && (third === 'fab' || third === 'skim')) return 'data_tmp';
  if (parts.length > 4 && third.includes('release')) return 'data';
  if (parts.length <= 5 || third !== 'proc' || !fourth.includes('release')) return 'data_tmp';
  return parts.length > 7 && formerProductions.has(sixth) ? 'data_tmp' : 'data';
}

/** Belle II. */
export default definePolicy(generic, {
  name: 'belleii',
  about: 'Belle II',
  source: 'belleii_rucio_policy_package 0.1.1 (git, rucio/temporary-belle2-policy-package 65bbbf90 of 20 June 2025)',
  did: { pattern: String.raw`^/[A-Za-z0-9\.\-\_\+\/]+$`, longest: 250 },
  rse: { pattern: '^([A-Z])+((([A-Za-z0-9]+))*(-)?)*$', linear: '^[A-Z]+[A-Za-z0-9-]*$' },
  activities: [
    'Data Consolidation',
    'Data Rebalancing',
    'Functional Test',
    'Functional Test WebDAV',
    'Recovery',
    'Production Input',
    'Production Output',
    'Production Merge',
    'Analysis Input',
    'Analysis Output',
    'Staging',
    'Raw Export',
    'Upload/Download (Job)',
    'Upload/Download (User)',
    'User Merge',
    'User Transfers',
    'Calibration Transfers',
  ],
  paths: { ...generic.paths, belleii: '{name}', belleii_lfn2pfn: '{name}' },
  defaultPath: 'belleii',
  copyPaths: { ...generic.copyPaths, belleii: '{dataset}/{name}', belleii_non_deterministic_pfn: '{dataset}/{name}' },
  defaultCopyPath: 'belleii',
  scopeOfName: { ...generic.scopeOfName, belleii: belleScope, belleii_extract_scope: belleScope },
  defaultScopeOfName: 'belleii',
  rights,
  leftOut: [
    {
      what: 'rights of whoever registered a DID, and DIDs below `/belle/scout` for everybody',
      why: 'the owner of the scope has them',
    },
    {
      what: 'rules of rule administrators with new DIDs of others, and restricted scopes of rules',
      why: 'a rule administrator makes such rules by themselves',
    },
  ],
});
