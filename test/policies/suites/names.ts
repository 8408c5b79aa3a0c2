/** Names that each policy allows, through a server that runs with it; the messages are those of the original packages. */
import { beforeAll, expect, it } from 'vitest';

import { serverInTurn } from '../server-in-turn.ts';
import { addDisk, type PolicyServer, segment } from '../start-with-policy.ts';

interface Expected {
  readonly scope: string;
  readonly containers: readonly string[];
  readonly datasets: readonly string[];
  /** With the message of the refusal. */
  readonly badDatasets: readonly (readonly [string, string])[];
  readonly rses: readonly string[];
  readonly badRses: readonly (readonly [string, string])[];
  readonly accounts: readonly string[];
  readonly badAccounts: readonly (readonly [string, string])[];
  readonly activity: string;
  readonly badActivity: string;
}

const cmsBlock = String.raw`^/[a-zA-Z0-9\\-_]{1,99}/[a-zA-Z0-9\\.\\-_]{1,199}/[A-Z0-9\\-]{1,99}#[a-zA-Z0-9\\.\\-_]{1,100}$`;
const smallAccounts = ['Alice', "'Alice' does not match '^[a-z0-9-_]{1,25}$'"] as const;

const cases = {
  cms: {
    scope: 'cms',
    containers: ['/HIMinimumBias0/HIRun2023A-v1/RAW'],
    datasets: ['/HIMinimumBias0/HIRun2023A-v1/RAW#0a1b2c3d-1111'],
    badDatasets: [
      ['/HIMinimumBias0/HIRun2023A-v1/RAW', `'/HIMinimumBias0/HIRun2023A-v1/RAW' does not match '${cmsBlock}'`],
    ],
    rses: ['T2_CH_CERN_Disk', 'T1_US_FNAL_Temp'],
    badRses: [['CERN_DISK', "'CERN_DISK' does not match '^T[0-3]_[A-Z]{2}((_[A-Za-z0-9]+)+)$'"]],
    accounts: ['amber', 't2_ch_cern_local_users'],
    badAccounts: [smallAccounts],
    activity: 'User AutoApprove',
    badActivity: 'Data Rebalancing',
  },
  belleii: {
    scope: 'mcprod',
    containers: ['/belle/MC/release-06/hlt+1'],
    datasets: ['/belle/MC/release-06/hlt+1/sub00'],
    badDatasets: [['belle/x', String.raw`'belle/x' does not match '^/[A-Za-z0-9\\.\\-\\_\\+\\/]+$'`]],
    rses: ['Napoli-TMP-SE', 'KEK2-TMP-SE'],
    badRses: [['napoli-SE', "'napoli-SE' does not match '^([A-Z])+((([A-Za-z0-9]+))*(-)?)*$'"]],
    accounts: ['amber'],
    badAccounts: [['Alice', "'Alice' does not match '^[a-z0-9-_]+$'"]],
    activity: 'User Merge',
    badActivity: 'Debug',
  },
  lsst: {
    scope: 'calib',
    containers: ['Container/HSC'],
    datasets: ['HSC-R+HSC-G/calexp~1', `x/${'a'.repeat(498)}`],
    badDatasets: [
      ['a=b', String.raw`'a=b' does not match '^[\\w\\.\\-\\+\\~/]*$'`],
      ['a'.repeat(501), `'${'a'.repeat(300)}...' is too long`],
    ],
    rses: ['SLAC_BUTLER-DISK'],
    badRses: [['Slac', "'Slac' does not match '^([A-Z0-9]+([_-][A-Z0-9]+)*)$'"]],
    accounts: ['amber'],
    badAccounts: [['Alice', "'Alice' does not match '^[a-z0-9-_]+$'"]],
    activity: 'Data Challenge',
    badActivity: 'DAC21',
  },
  eic: {
    scope: 'epic',
    containers: ['/EVGEN/DIS'],
    datasets: ['/EVGEN/q2=1to10/run:1..2/a+b'],
    badDatasets: [['EVGEN/q2', String.raw`'EVGEN/q2' does not match '^/[A-Za-z0-9\\.\\-\\_\\+\\/\\=\\:]+$'`]],
    rses: ['EIC-XRD'],
    badRses: [['eic', "'eic' does not match '^([A-Z0-9]+([_-][A-Z0-9]+)*)$'"]],
    accounts: ['Alice'],
    badAccounts: [['al.ice', "'al.ice' does not match '^[a-zA-Z0-9-_]+$'"]],
    activity: 'DAC21',
    badActivity: 'Data Rebalancing',
  },
  pic: {
    scope: `magic.${'a'.repeat(94)}`,
    containers: ['/magic/all'],
    datasets: ['/magic/a+b'],
    badDatasets: [['+b', String.raw`'+b' does not match '^[/A-Za-z0-9][/A-Za-z0-9\\.\\-_\\+]*$'`]],
    rses: ['pic-disk', 'PIC_Tape'],
    badRses: [['pic.disk', "'pic.disk' does not match '^([A-Za-z0-9]+([_-][A-Za-z0-9]+)*)$'"]],
    accounts: ['amber'],
    badAccounts: [['Alice', "'Alice' does not match '^[a-z0-9-_]+$'"]],
    activity: 'Debug',
    badActivity: 'DAC21',
  },
  icecube: {
    scope: 'icecube',
    containers: ['/data/exp/all'],
    datasets: ['/data/exp/IceCube/2026#level2'],
    badDatasets: [
      ['data', String.raw`'data' does not match '^\\/[A-Za-z0-9][A-Za-z0-9\\\\.\\\\-\\\\_\\/\\#]{1,500}$'`],
    ],
    rses: ['DESY-ZN'],
    badRses: [['desy', "'desy' does not match '^([A-Z0-9]+([_-][A-Z0-9]+)*)$'"]],
    accounts: ['amber'],
    badAccounts: [smallAccounts],
    activity: 'Data rebalancing',
    badActivity: 'Data Challenge',
  },
} satisfies Record<string, Expected>;

/** The names of one of the policies. */
export function testNames(policy: keyof typeof cases): void {
  const expected: Expected = cases[policy];
  let server: PolicyServer;
  const { scope } = expected;

  beforeAll(async () => {
    server = await serverInTurn(policy);
    await server.must('POST', `/accounts/root/scopes/${scope}`);
    for (const rse of expected.rses) await addDisk(server, rse);
    for (const name of expected.containers)
      await server.must('POST', `/dids/${scope}/${segment(name)}`, { type: 'CONTAINER' });
    for (const name of expected.datasets)
      await server.must('POST', `/dids/${scope}/${segment(name)}`, { type: 'DATASET' });
  });

  it('lets its names be created, listed, found, attached and deleted', async () => {
    const listed = (await server.must('GET', `/dids/${scope}/?recursive=1`)).lines as { name: string }[];
    const names = [...expected.containers, ...expected.datasets];
    expect(listed.map(({ name }) => name).toSorted()).toEqual(names.toSorted());
    const [container = ''] = expected.containers;
    const dids = expected.datasets.map((name) => ({ scope, name }));
    await server.must('POST', `/dids/${scope}/${segment(container)}/dids`, { dids });
    const content = (await server.must('GET', `/dids/${scope}/${segment(container)}/dids`)).lines as { name: string }[];
    expect(content.map(({ name }) => name).toSorted()).toEqual(expected.datasets.toSorted());
    for (const name of expected.datasets) {
      const found = (await server.must('GET', `/dids/${scope}/dids/search?type=all&name=${encodeURIComponent(name)}`))
        .lines;
      expect(found).toEqual([name]);
      const parents = (await server.must('GET', `/dids/${scope}/${segment(name)}/parents`)).lines;
      expect(parents).toMatchObject([{ scope, name: container }]);
      // Names work unescaped, too, as clients write them.
      if (!/[#?]/.test(name))
        expect((await server.must('GET', `/dids/${scope}/${name}`)).lines).toMatchObject([{ name }]);
    }
  });

  it('refuses other names of DIDs in the words of the original', async () => {
    for (const [name, message] of expected.badDatasets) {
      const { error } = await server.ask('POST', `/dids/${scope}/${segment(name)}`, { type: 'DATASET' });
      expect(error).toBe(`InvalidObject: Problem validating did: ${message}`);
    }
  });

  it.each(['a/../b', '/a/./b', 'a/', '/', 'a\nb', 'a\\b', ''])('lets no policy allow the name %j', async (name) => {
    const { status } = await server.ask('POST', `/dids/${scope}/${segment(name)}`, { type: 'DATASET' });
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
  });

  it('refuses other RSEs and accounts in the words of the original', async () => {
    for (const [rse, message] of expected.badRses) {
      const { error } = await server.ask('POST', `/rses/${segment(rse)}`, {});
      expect(error).toBe(`InvalidObject: Problem validating rse: ${message}`);
    }
    for (const account of expected.accounts)
      await server.must('POST', `/accounts/${account}`, { type: 'USER', email: 'a@example.org' });
    for (const [account, message] of expected.badAccounts) {
      const { error } = await server.ask('POST', `/accounts/${account}`, { type: 'USER', email: 'a@example.org' });
      expect(error).toBe(`InvalidObject: Problem validating account: ${message}`);
    }
  });

  it('takes rules with its activities alone, on its RSEs', async () => {
    const [name = ''] = expected.datasets;
    const [rse = ''] = expected.rses;
    await server.must('POST', `/accountlimits/local/root/${rse}`, { bytes: 1_000 });
    const rule = { dids: [{ scope, name }], account: 'root', copies: 1, rse_expression: rse };
    await server.must('POST', '/rules/', { ...rule, activity: expected.activity });
    const { status, error } = await server.ask('POST', '/rules/', { ...rule, activity: expected.badActivity });
    expect(status).toBe(409);
    expect(error).toContain('InvalidObject: Problem validating rule: ');
    const rules = (await server.must('GET', `/dids/${scope}/${segment(name)}/rules`)).lines;
    expect(rules).toMatchObject([{ activity: expected.activity, name, rse_expression: rse }]);
  });

  it('shows its patterns and activities in the OpenAPI document', async () => {
    const document = (await server.must('GET', '/openapi.json')).text;
    expect(document).toContain(JSON.stringify(expected.activity));
    expect(document).not.toContain(JSON.stringify(expected.badActivity));
  });
}
