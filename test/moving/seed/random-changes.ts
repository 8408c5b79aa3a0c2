import { createHash } from 'node:crypto';

import { Random } from '../../../local/engine/judge/random.ts';
import type { Step } from './catalogue.ts';

/** Files in a dataset of the mass. */
const filesPerDataset = 1_000;

/** Targets of changes: datasets of the mass of the seed. */
interface Mass {
  readonly random: Random;
  /** How many datasets there are. */
  readonly datasets: number;
  /** The number of this change, for new names. */
  readonly n: number;
}

const disks = ['MV-DISK-0', 'MV-DISK-1', 'MV-DISK-2'];
const accounts = ['mvalice', 'mvbob', 'mvadmin'];
const adler32 = '0cc737eb';

/** Whether a dataset of the mass has no locks: its rule waits for approval. */
const isUnlocked = (d: number) => d % 10 === 9;

/** A dataset of the mass as mass.sql makes it; `file` is one of its files. */
function pickDataset({ random, datasets }: Mass, isWanted: (d: number) => boolean = () => true) {
  const d = random.pick(Array.from({ length: datasets }, (_value, index) => index).filter(isWanted));
  const number = d * filesPerDataset + random.integer(1, filesPerDataset);
  const scope = `mv.${2018 + (d % 7)}`;
  return {
    scope,
    name: `dataset.${String(d).padStart(6, '0')}`,
    file: { scope, name: `file.${String(number).padStart(9, '0')}` },
    rule: createHash('md5').update(`mvrule${d}`).digest('hex'),
    home: `MV-DISK-${d % 4}`,
  };
}

const path = ({ scope, name }: { readonly scope: string; readonly name: string }) => `/dids/${scope}/${name}`;

/** Steps on DIDs and their content. */
const didChanges = {
  addDataset: ({ n, random }: Mass): Step[] => [
    ['POST', `/dids/mv.2024/added.${n}`, { type: random.pick(['DATASET', 'CONTAINER']) }],
  ],
  addFilledDataset(mass: Mass): Step[] {
    const files = [pickDataset(mass).file, pickDataset(mass).file];
    const [first, second] = files as [Name, Name];
    const dids = first.name === second.name ? [first] : files;
    const at = `/dids/mv.2023/filled.${mass.n}`;
    return [
      ['POST', at, { type: 'DATASET' }],
      ['POST', `${at}/dids`, { dids }],
      ...(mass.random.chance(0.3) ? ([['PUT', `${at}/status`, { open: false }]] as const) : []),
    ];
  },
  attachToContainer(mass: Mass): Step[] {
    const { scope, name } = pickDataset(mass);
    const at = `/dids/mv.2022/container.${mass.n}`;
    return [
      ['POST', at, { type: 'CONTAINER' }],
      ['POST', `${at}/dids`, { dids: [{ scope, name }] }],
    ];
  },
  detachFile(mass: Mass): Step[] {
    const { file, ...dataset } = pickDataset(mass);
    return [['DELETE', `${path(dataset)}/dids`, { dids: [file] }]];
  },
  setColumn: (mass: Mass): Step[] => [
    ['POST', `${path(pickDataset(mass))}/meta`, { meta: { campaign: `c${mass.n}`, run_number: mass.n } }],
  ],
  setFreeMetadata: (mass: Mass): Step[] => [
    ['POST', `${path(pickDataset(mass))}/meta`, { meta: { note: `ünï ${mass.n}`, list: [mass.n, null, { a: 'b' }] } }],
  ],
  setFreeMetadataOfFile: (mass: Mass): Step[] => [
    ['POST', `${path(pickDataset(mass).file)}/meta`, { meta: { quality: mass.random.pick(['good', 'bad']) } }],
  ],
};

type Name = { readonly scope: string; readonly name: string };

/** Steps on replicas. */
const replicaChanges = {
  addFiles({ n, random }: Mass): Step[] {
    const files = Array.from({ length: random.integer(1, 4) }, (_value, index) => ({
      scope: 'mv.2021',
      name: `added.file.${n}.${index}`,
      bytes: random.integer(1, 10 ** 9),
      adler32,
    }));
    return [['POST', '/replicas', { rse: random.pick(disks), files, ignore_availability: true }]];
  },
  setState(mass: Mass): Step[] {
    const { file, home } = pickDataset(mass);
    return [['PUT', '/replicas', { rse: home, files: [{ ...file, state: mass.random.pick(['A', 'U']) }] }]];
  },
  setTombstone(mass: Mass): Step[] {
    const { file, home } = pickDataset(mass, isUnlocked);
    return [['POST', '/replicas/tombstone', { replicas: [{ ...file, rse: home }] }]];
  },
  suspect(mass: Mass): Step[] {
    const { file, home } = pickDataset(mass);
    const pfn = `davs://dav${home.at(-1)}.example.org:443/moving/${hashPath(file)}`;
    return [['POST', '/replicas/suspicious', { pfns: [pfn], reason: `change ${mass.n}` }]];
  },
};

function hashPath({ scope, name }: Name): string {
  const digest = createHash('md5').update(`${scope}:${name}`).digest('hex');
  return `${scope}/${digest.slice(0, 2)}/${digest.slice(2, 4)}/${name}`;
}

/** Steps on rules. */
const ruleChanges = {
  addRule(mass: Mass): Step[] {
    const { scope, name } = pickDataset(mass);
    const what = { dids: [{ scope, name }], copies: 1, rse_expression: mass.random.pick(disks), grouping: 'DATASET' };
    return [['POST', '/rules', { ...what, account: mass.random.pick(accounts.slice(0, 2)), lifetime: 10 ** 8 }]];
  },
  changeRule: (mass: Mass): Step[] => [
    [
      'PUT',
      `/rules/${pickDataset(mass).rule}`,
      {
        options: mass.random.pick([
          { comment: `change ${mass.n}` },
          { priority: 4 },
          { lifetime: 10 ** 8 + mass.n },
          { locked: true },
        ]),
      },
    ],
  ],
  approveRule: (mass: Mass): Step[] => [
    ['PUT', `/rules/${pickDataset(mass, isUnlocked).rule}`, { options: { approve: true } }],
  ],
};

/** Steps on accounts, RSEs and the configuration. */
const otherChanges = {
  addAccount({ n }: Mass): Step[] {
    const identity = { identity: `new${n}`, authtype: 'USERPASS', email: 'n@example.org', password: `secret${n}` };
    return [
      ['POST', `/accounts/new${n}`, { type: 'USER', email: `new${n}@example.org` }],
      ['POST', `/accounts/new${n}/identities`, identity],
      ['POST', `/accounts/new${n}/scopes/new.${n}`],
    ];
  },
  setAccount: ({ n, random }: Mass): Step[] => [
    ['PUT', `/accounts/${random.pick(accounts)}`, { email: `changed${n}@example.org` }],
  ],
  setLimit: ({ n, random }: Mass): Step[] => [
    ['POST', `/accountlimits/local/${random.pick(accounts)}/${random.pick(disks)}`, { bytes: 5 * 10 ** 15 + n }],
  ],
  setRseAttribute: ({ n, random }: Mass): Step[] => [
    ['POST', `/rses/${random.pick(disks)}/attr/changed-${n}`, { value: String(n) }],
  ],
  setRseLimit: ({ n, random }: Mass): Step[] => [
    ['PUT', `/rses/${random.pick(disks)}/limits`, { name: 'MinFreeSpace', value: 10 ** 9 + n }],
  ],
  setRseUsage: ({ n, random }: Mass): Step[] => [
    ['PUT', `/rses/${random.pick(disks)}/usage`, { source: 'storage', used: n, free: 10 ** 12 - n }],
  ],
  setConfig: ({ n }: Mass): Step[] => [['POST', '/config', { 'moving-section': { [`option${n % 7}`]: `value ${n}` } }]],
  setSubscription: ({ n, random }: Mass): Step[] => [
    [
      'PUT',
      `/subscriptions/mvalice/moving-${random.pick(['active', 'second'])}`,
      { options: { comments: `change ${n}` } },
    ],
  ],
};

type Change = (mass: Mass) => Step[];

/** How often each change is made: those of every day more often. */
const weights: readonly (readonly [weight: number, change: Change])[] = [
  ...Object.values<Change>(didChanges).map((change) => [4, change] as const),
  ...Object.values<Change>(replicaChanges).map((change) => [5, change] as const),
  ...Object.values<Change>(ruleChanges).map((change) => [3, change] as const),
  ...Object.values<Change>(otherChanges).map((change) => [1, change] as const),
];

/**
 * Random changes to a server with the seed, each of one request or some that belong together.
 *
 * @param seed The same changes follow from the same one.
 * @param datasets How many datasets of the mass the server has.
 */
export function* randomChanges(count: number, seed: number, datasets: number): Generator<readonly Step[]> {
  const random = new Random(seed);
  for (let n = 1; n <= count; n += 1) yield random.weighted(weights)({ random, datasets, n });
}
