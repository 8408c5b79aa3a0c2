/** The longest lists are those of the policy. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { addDisk, type PolicyServer, startWithPolicy } from './start-with-policy.ts';

const files = (count: number) =>
  Array.from({ length: count }, (_none, index) => ({
    scope: 'cms',
    name: `/store/f${index}`,
    bytes: 1,
    adler32: '00620062',
  }));

describe.each([
  ['generic', 1_000, 1_000],
  ['cms', 3_000, 30_000],
])('the policy %s', (policy, created, named) => {
  let server: PolicyServer;
  beforeAll(async () => {
    server = await startWithPolicy(policy);
    await server.must('POST', '/accounts/root/scopes/cms');
    await addDisk(server, policy === 'cms' ? 'T2_CH_CERN' : 'DISK');
  });
  afterAll(() => server.process.stop());

  it('creates and names lists of its length, and refuses longer ones whole', async () => {
    const rse = policy === 'cms' ? 'T2_CH_CERN' : 'DISK';
    const tooMany = await server.ask('POST', '/replicas/', { rse, files: files(created + 1) });
    expect(tooMany).toMatchObject({ status: 400, error: expect.stringContaining('InvalidObject') });
    expect((await server.must('GET', '/dids/cms/dids/search?type=file&name=*')).lines).toEqual([]);
    await server.must('POST', '/replicas/', { rse, files: files(created) });
    const dids = files(named + 1).map(({ scope, name }) => ({ scope, name }));
    const tooManyNamed = await server.ask('POST', '/replicas/list', { dids });
    expect(tooManyNamed).toMatchObject({ status: 400 });
    const tooManyAsked = await server.ask('POST', '/dids/bulkmeta', { dids: dids.slice(0, created + 1) });
    expect(tooManyAsked).toMatchObject({ status: 400 });
    const asked = await server.must('POST', '/dids/bulkmeta', { dids: dids.slice(0, created) });
    expect(asked.lines).toHaveLength(created);
    expect(await server.ask('POST', '/dids/resurrect', dids.slice(0, created + 1))).toMatchObject({ status: 400 });
    expect(await server.ask('POST', '/dids/resurrect', dids.slice(0, created))).toMatchObject({ status: 404 });
    const { lines } = await server.must('POST', '/replicas/list', { dids: dids.slice(0, named) });
    expect(lines).toHaveLength(created);
  });
});
