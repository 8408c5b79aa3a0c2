import { definePolicy, type PathedFile, type TypeOfDid } from '../lib/policy/policy.ts';
import generic from './generic.ts';
import rights from './rights/cms.ts';

const core = String.raw`/[a-zA-Z0-9\-_]{1,99}/[a-zA-Z0-9\.\-_]{1,199}/[A-Z0-9\-]{1,99}`;
const container = `^${core}$`;
const block = String.raw`^${core}#[a-zA-Z0-9\.\-_]{1,100}$`;
const file = String.raw`^\/store\/[A-Za-z0-9][A-Za-z0-9\.\-\_\/]{1,493}$`;

/** Files of users and groups are in folders of their own, those of jobs in that of logs. */
function refuse({ scope, name }: PathedFile, type: TypeOfDid): string | undefined {
  if (type !== 'FILE') return undefined;
  for (const kind of ['user', 'group']) {
    const folder = `/store/${kind}`;
    if (name.startsWith(folder) && !name.startsWith(`${folder}/rucio/`))
      return `Problem with LFN ${name} : Legacy ${kind} files are not managed with Rucio`;
    const isOwned = scope.startsWith(`${kind}.`);
    if (name.startsWith(`${folder}/rucio`) && !isOwned)
      return `Problem with LFN ${name}: Only ${kind} scopes allowed in ${folder}/rucio`;
    const owner = scope.slice(kind.length + 1);
    if (isOwned && !name.startsWith(`${folder}/rucio/${owner}/`))
      return `Problem with LFN ${name} : Not allowed for ${kind} ${owner}`;
  }
  return scope === 'logs' && !name.startsWith('/store/logs/')
    ? `Problem with LFN ${name} : Logs must start with /store/logs`
    : undefined;
}

/** CMS. */
export default definePolicy(generic, {
  name: 'cms',
  about: 'CMS',
  source: 'CMSRucioPolicy (git, dmwm/CMSRucio 1eed677c of 23 July 2026)',
  scope: { pattern: String.raw`^(cms)|(logs)|(user\.[a-z0-9-_]{1,20})$|(group\.[a-z0-9-_]{1,19})$`, longest: 25 },
  did: { pattern: `${container}|${block}|${file}` },
  didOfType: { CONTAINER: { pattern: container }, DATASET: { pattern: block }, FILE: { pattern: file } },
  refuse,
  account: { pattern: '^[a-z0-9-_]{1,25}$' },
  rse: { pattern: '^T[0-3]_[A-Z]{2}((_[A-Za-z0-9]+)+)$' },
  activities: [
    'Data Brokering',
    'Data Consolidation',
    'Data rebalancing',
    'Debug',
    'Express',
    'Functional Test',
    'Group Subscriptions',
    'Production Input',
    'Production Output',
    'Analysis Input',
    'Analysis Output',
    'Staging',
    'T0 Export',
    'T0 Tape',
    'Upload/Download (Job)',
    'Upload/Download (User)',
    'User AutoApprove',
    'User Subscriptions',
    'Data Challenge',
    'Analysis TapeRecall',
    'Manual Transfers',
  ],
  lists: { created: 3_000, named: 30_000 },
  paths: { ...generic.paths, cmstfc: ({ name }) => `/${name}`.replaceAll(/\/+/g, '/') },
  defaultPath: 'cmstfc',
  rights,
  leftOut: [
    {
      what: 'trivial file catalogues in protocols',
      why: '`cmstfc` reads regular expressions of an operator from the attributes of a protocol; without them it is the name',
    },
    { what: 'scopes longer than 25 letters that hold `cms` or `logs`', why: "Rucio's table cannot hold them" },
    {
      what: 'lists of more than 3,000 replicas to delete',
      why: 'one request must not occupy a server',
    },
    { what: 'approval of rules by itself', why: 'Dapple has no automatic approval' },
    { what: 'collocation of files on tape', why: 'Dapple hands FTS no hints for tape' },
    { what: 'PFN to name', why: 'Dapple finds the file of a PFN by the paths that it has given' },
    {
      what: 'lifetimes of rules by the type of the account, rules for others on temporary RSEs and on tape',
      why: 'a rule for another account would use up its quota; admins look after lifetimes',
    },
    { what: 'names of DIDs of users in other scopes than `cms`', why: 'the owner of a scope names what is in it' },
    {
      what: 'approval by everybody where an RSE names no `rule_approvers`',
      why: 'a stranger must not approve a rule of his own: every RSE must name him',
    },
    { what: 'longer lifetimes of rules that were approved by themselves', why: 'Dapple has no automatic approval' },
  ],
});
