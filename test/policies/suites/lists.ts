/** The longest lists are those of the policy. */
import { beforeAll, expect, it } from 'vitest';

import { serverInTurn } from '../server-in-turn.ts';
import { addDisk, type PolicyServer } from '../start-with-policy.ts';

const scope = 'cms.lists';
const files = (count: number) =>
  Array.from({ length: count }, (_none, index) => ({
    scope,
    name: `/store/f${index}`,
    bytes: 1,
    adler32: '00620062',
  }));

/**
 * The longest lists of a policy.
 *
 * @param created Most items of a list that creates them.
 * @param named Most items of a list that names some that exist.
 */
export function testLists(policy: string, created: number, named: number): void {
  const rse = policy === 'cms' ? 'T2_DE_DESY' : 'DISK';
  let server: PolicyServer;
  beforeAll(async () => {
    server = await serverInTurn(policy);
    await server.must('POST', `/accounts/root/scopes/${scope}`);
    await addDisk(server, rse);
  });

  it('creates and names lists of its length, and refuses longer ones whole', async () => {
    const tooMany = await server.ask('POST', '/replicas/', { rse, files: files(created + 1) });
    expect(tooMany).toMatchObject({ status: 400, error: expect.stringContaining('InvalidObject') });
    expect((await server.must('GET', `/dids/${scope}/dids/search?type=file&name=*`)).lines).toEqual([]);
    await server.must('POST', '/replicas/', { rse, files: files(created) });
    const dids = files(named + 1).map(({ name }) => ({ scope, name }));
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
}
