/** Acceptance of rules and replicas (spec/replication.md 8): wire formats. */
import { createHash } from 'node:crypto';

import { beforeAll, describe, expect, it } from 'vitest';

import { collect, expectStatus, list, register } from '../support/replicas.ts';
import { newReplicationSetup, type ReplicationSetup } from '../support/replication.ts';
import { newRule } from '../support/rules.ts';
import { asRoot, expectError, uniqueName } from '../support/server.ts';

const root = asRoot();
const stream = 'application/x-json-stream';
let setup: ReplicationSetup;
let [file, dataset, rule] = ['', '', ''];

beforeAll(async () => {
  setup = await newReplicationSetup();
  [file, dataset] = [uniqueName('f'), uniqueName('ds')];
  await register(setup.one, setup.scope, [file], { md5: '61e7d212cfe1776e49be2f97b69b7f4d' });
  await collect('DATASET', setup.scope, dataset, [file]);
  rule = await newRule({ scope: setup.scope, name: dataset }, setup.one, {}, setup.owner);
});

describe('acceptance of replication (replication 8)', () => {
  it('15. the metalink to the byte, priorities from 1, and nothing for an unknown DID', async () => {
    const { scope, one } = setup;
    const digest = createHash('md5').update(`${scope}:${file}`).digest('hex');
    const pfn = `file://localhost/one/${scope}/${digest.slice(0, 2)}/${digest.slice(2, 4)}/${file}`;
    const dids = [{ scope, name: dataset }];
    const headers = { Accept: 'application/metalink4+xml' };
    const metalink = await root.post('/replicas/list', { dids, resolve_parents: true }, { headers });
    expect(metalink.headers.get('Content-Type')).toBe('application/metalink4+xml');
    expect(metalink.text).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<metalink xmlns="urn:ietf:params:xml:ns:metalink">
 <file name="${file}">
  <parents>
   <did>${scope}:${dataset}</did>
  </parents>
  <identity>${scope}:${file}</identity>
  <hash type="adler32">0cc737eb</hash>
  <hash type="md5">61e7d212cfe1776e49be2f97b69b7f4d</hash>
  <size>10</size>
  <glfn name="/generic/rucio/${scope}:${file}"></glfn>
  <url location="${one}" domain="wan" priority="1" client_extract="false">${pfn}</url>
 </file>
</metalink>
`);
    const [line] = await list(scope, [file]);
    expect(Object.values(line?.pfns ?? {}).map(({ priority }) => priority)).toEqual([1]);
    const unknown = await root.post('/replicas/list', { dids: [{ scope, name: 'none' }] });
    expect(`${unknown.status} ${unknown.text}`).toBe('200 ');
  });

  it('16. every error says its class in body and headers, and no JSON has a charset', async () => {
    const { scope, one } = setup;
    const nobodys = '0'.repeat(32);
    expectError(await root.get(`/rules/${nobodys}`), 404, 'RuleNotFound');
    expectError(await root.get(`/rules/${nobodys}/analysis`), 404, 'RuleNotFound');
    expectError(await root.delete(`/rules/${nobodys}`, {}), 404, 'RuleNotFound');
    expectError(await root.get('/locks/NONE?did_type=dataset'), 404, 'RSENotFound');
    expectError(await root.get(`/dids/${scope}/none/rules`), 404, 'DataIdentifierNotFound');
    expectError(
      await root.put('/replicas', { rse: one, files: [{ scope, name: 'none', state: 'A' }] }),
      404,
      'ReplicaNotFound',
    );
    expectError(await root.get(`/requests/${scope}/${file}/${one}`), 404, 'RequestNotFound');
    for (const [path, type] of [
      [`/rules/${rule}`, 'application/json'],
      [`/rules/${rule}/analysis`, 'application/json'],
      [`/rules/${rule}/locks`, stream],
      ['/rules/?account=nobody', stream],
      [`/rules/${scope}/${dataset}/history`, stream],
      [`/dids/${scope}/${dataset}/rules`, stream],
      [`/dids/${scope}/${file}/associated_rules`, stream],
      [`/locks/${scope}/${dataset}?did_type=dataset`, stream],
      [`/locks/${one}?did_type=dataset`, stream],
      [`/replicas/${scope}/${dataset}/datasets`, stream],
      [`/accounts/${setup.account}/rules`, stream],
      [`/accounts/${setup.account}/usage/${one}`, stream],
      [`/requests/list?src_rse=${one}&dst_rse=${setup.two}&request_states=Q`, stream],
    ] as const) {
      const answer = await root.get(path);
      expectStatus(answer, 200);
      expect([path, answer.headers.get('Content-Type')]).toEqual([path, type]);
    }
  });
});
