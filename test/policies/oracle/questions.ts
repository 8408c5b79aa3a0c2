import fc from 'fast-check';

import type { Policy } from '../../../lib/policy/policy.ts';

/** A question to original and policy. */
export interface Questions {
  readonly policy: string;
  readonly names: Readonly<Record<string, readonly string[]>>;
  readonly dids: readonly (readonly [scope: string, name: string, type: 'FILE' | 'DATASET' | 'CONTAINER'])[];
  readonly paths: Readonly<Record<string, readonly (readonly [scope: string, name: string])[]>>;
  readonly copyPaths: Readonly<Record<string, readonly (readonly [scope: string, name: string, dataset: string])[]>>;
  readonly scopes: Readonly<Record<string, readonly string[]>>;
  /** The scopes that there are. */
  readonly known: readonly string[];
}

/** Their answer: the message of a refusal, or null; a path or a scope, or null where there is none. */
export interface Answers {
  readonly names: Readonly<Record<string, readonly (string | null)[]>>;
  readonly dids: readonly (string | null)[];
  readonly paths: Readonly<Record<string, readonly (string | null)[] | null>>;
  readonly copyPaths: Readonly<Record<string, readonly (string | null)[] | null>>;
  readonly scopes: Readonly<Record<string, readonly (string | null)[] | null>>;
}

/** Names as experiments have them, from which others are made by changes. */
const examples = {
  scope: ['cms', 'logs', 'user.alice', 'group.higgs', 'data26_13p6TeV', 'O3', 'mc_tmp', 'magic', 'root'],
  account: ['alice', 'Alice', 't2_ch_cern_local_users', 'a-b_c', 'root', '0'],
  accountAttribute: ['admin', 'country-de', 'rule_approvers', 'https://iam.test.example:443/', 'a\\b/c.d', 'true'],
  rse: [
    'CERN-PROD_DATADISK',
    'T2_CH_CERN_Disk',
    'T1_US_FNAL_Temp',
    'Napoli-TMP-SE',
    'pic-disk',
    'KEK2-TAPE-SE',
    'A',
    'EIC-XRD',
  ],
  did: [
    '/HIMinimumBias0/HIRun2023A-v1/RAW',
    '/HIMinimumBias0/HIRun2023A-v1/RAW#0a1b2c3d-1111',
    '/store/data/Run2024C/ParkingVBF5/RAW/v1/000/380/115/00000/b4c0513e.root',
    '/store/user/rucio/alice/a.root',
    '/store/group/rucio/higgs/a.root',
    '/store/logs/prod/1.tar.gz',
    '/belle/MC/release-06/hlt+1.root',
    'HSC-R+HSC-G/calexp~1.fits',
    '/EVGEN/q2=1to10/run:1..2/a+b',
    '/ctao/user/a/alice/x.fits',
    'data26_13p6TeV.00358031.physics_Main.daq.RAW',
    'user.alice.test.1/',
    '/data/exp/IceCube/2026#level2',
    'H-H1_HOFT_C02-1126256640-4096.gwf',
    'test-1',
  ],
  logical: [
    '/belle/MC/release-06-00-08/DB00001/mc15/prod00020000/s00/e0000/4S/r00000/mixed/mdst/sub00/a.root',
    '/belle/MC/fab/sub00/a.root',
    '/belle/MC/skim_x/y/z',
    '/belle/mock/a',
    '/belle/Raw/e0018/r00001',
    '/belle/hRaw/e0018',
    '/belle/user/a/alice/x',
    '/belle/user/alice/x/y',
    '/belle/group/physics/phys1/x',
    '/belle/Data/proc/release-05/DB/proc10/x/y/z',
    '/belle/data/release-05/x/y',
    '/belle/data/fab/x/y',
    '/belle/Data/proc/fab1/x/y/z',
    '/belle/ddm/functional_tests/a',
    '/belle/test/ddm_test/a',
    '/belle/BG/x',
    '/belle/collection/x',
    '/ctao/user/a/alice/x.fits',
    '/ctao/sim/x/y.fits',
    '/ctao',
    'data26.run1.raw',
    'user.alice.x',
  ],
  dataset: [
    'data26.run1.raw.f1.AOD.r1_tid01_00',
    'a',
    'a.b',
    'user.alice.x',
    'a.b.c',
    'a.b.c.d_sub01',
    'a.b.c.d.e',
    '/belle/MC/sub00',
    'a.b.c.d.e.f_dis1',
  ],
  frame: [
    'H-H1_HOFT_C02-1126256640-4096.gwf',
    'L-L1_R-1126256640-64.gwf',
    'V-V1Online-1126256640-4096.gwf',
    'V-raw-1126256640-100.gwf',
    'V-V1O2Repro2A-1126256640-100.gwf',
    'K-K1_C10-1268645888-4096.gwf',
    'K-K1_C00-1268645888-4096.gwf',
    'G-G1_RDS_C01_L3-1269615000-60.gwf',
    'G-R-1269227340-60.gwf',
    'G-G1_RDS_C02_L3-1270296600-60.gwf',
    'H-H1_HOFT_CLEAN_SUB60HZ_C01-1126256640-4096.gwf',
    'H-H1_CLEANED_HOFT_C02-1126256640-4096.gwf',
    'H-H1_RDS-1126256640-4096.gwf',
    'a/b/H-H1_HOFT_C00-1126256640-4096.gwf',
    'H-1_H1_1800SFT_O2-1164562334-1800.sft',
    'automatix-12',
  ],
} as const;

const characters = Array.from('abAZ019_-./#+~=:@,%;?&\'"\\ $|()é\n\t\u0000\u200b😀');

/** A name like one of some, with a few changes, or as long as a limit allows and a little more or less. */
function like(known: readonly string[]): fc.Arbitrary<string> {
  const change = fc.record({
    at: fc.nat(600),
    drop: fc.constantFrom(0, 0, 1),
    put: fc.constantFrom('', ...characters),
  });
  const changed = fc.tuple(fc.constantFrom(...known), fc.array(change, { maxLength: 3 })).map(([text, changes]) =>
    changes.reduce((now, { at, drop, put }) => {
      const place = at % (now.length + 1);
      return now.slice(0, place) + put + now.slice(place + drop);
    }, text),
  );
  const long = fc
    .tuple(
      fc.constantFrom(...known),
      fc.constantFrom(20, 25, 30, 100, 199, 250, 255, 493, 500),
      fc.integer({ min: -1, max: 9 }),
    )
    .map(([text, length, more]) => text + 'a'.repeat(Math.max(0, length + more - text.length)));
  // Rucio checks no text that is empty, and Dapple refuses it elsewhere.
  return fc.oneof({ weight: 9, arbitrary: changed }, { weight: 1, arbitrary: long }).filter((text) => text !== '');
}

/** Questions about a policy; the same for the same seed. */
export function makeQuestions(policy: Policy, count: number, seed: number): Questions {
  const sample = <T>(of: fc.Arbitrary<T>): T[] => fc.sample(of, { numRuns: count, seed });
  const { did, logical, dataset, frame, ...kinds } = examples;
  const scopes = fc.constantFrom(...examples.scope);
  const files = policy.name === 'igwn' ? [...frame, ...did] : did;
  const fill = <T>(names: object, of: () => T[]) => Object.fromEntries(Object.keys(names).map((name) => [name, of()]));
  return {
    policy: policy.name,
    names: {
      ...Object.fromEntries(Object.entries(kinds).map(([kind, known]) => [kind, sample(like(known))])),
      activity: sample(like([...policy.activities, 'Data Rebalancing', 'Data rebalancing', 'DAC21', 'Debug'])),
    },
    dids: sample(
      fc.tuple(scopes, like(did), fc.constantFrom('FILE' as const, 'DATASET' as const, 'CONTAINER' as const)),
    ),
    paths: fill(policy.paths, () =>
      sample(fc.tuple(fc.constantFrom(...examples.scope, 'O2', 'O3GK', 'postO3'), like(files))),
    ),
    copyPaths: fill(policy.copyPaths, () => sample(fc.tuple(scopes, like(did), like(dataset)))),
    scopes: fill(policy.scopeOfName, () => sample(like(logical))),
    known: ['user.alice', 'group.phys1', 'root'],
  };
}
