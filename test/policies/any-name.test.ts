/** Whatever names a policy allows: they are kept apart, found and listed, in pages, in order, as JSON and as metalinks. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import generic from '../../policies/generic.ts';
import { addDisk, type PolicyServer, segment, startWithPolicy } from './start-with-policy.ts';

/** Paths with folders between scope and name. */
const templates = [
  '{folder(scope)}/data/{name}',
  '{folder(scope)}/{md5[0:2]}/x/{md5[2:4]}/{name}',
  '{folder(scope)}{name}',
];

let server: PolicyServer;
const folder = mkdtempSync(join(tmpdir(), 'policy-names-'));
beforeAll(async () => {
  const policy = join(folder, 'anything.ts');
  const own = templates.map((template, index) => [`own${index}`, template]);
  const paths = { ...generic.paths, ...Object.fromEntries(own) };
  writeFileSync(
    policy,
    `export default {
  name: 'anything', about: 'allows what can be allowed, and has paths of its own', source: 'nothing',
  did: { pattern: '^.+$', longest: 500 },
  scope: { pattern: '^[a-zA-Z_.0-9-]+$', longest: 100 },
  paths: ${JSON.stringify(paths)}, defaultPath: 'hash',
};
`,
  );
  server = await startWithPolicy(policy);
});
afterAll(async () => {
  await server.process.stop();
  rmSync(folder, { recursive: true });
});

const marks = '#+~=:@,._-';
const part = fc
  .array(fc.constantFrom('a', 'Z', '0', ...Array.from(marks)), { minLength: 1, maxLength: 6 })
  .map((letters) => letters.join(''))
  .filter((text) => !/^\.{1,2}$/.test(text));
const anyName = fc
  .tuple(fc.constantFrom('', '/'), fc.array(part, { minLength: 1, maxLength: 3 }))
  .map(([slash, parts]) => slash + parts.join('/'));

/** Names that differ by a mark alone, and as long as they may be, beside generated ones. */
const names = [
  ...new Set([
    ...fc.sample(anyName, { numRuns: 60, seed: 56 }),
    ...Array.from(marks, (mark) => `a${mark}b`),
    ...Array.from(marks, (mark) => `a${mark}`),
    'a',
    'ab',
    `/${'l'.repeat(499)}`,
    '#'.repeat(500),
  ]),
].toSorted();
const files = names.filter((name) => !name.includes('#')).map((name) => `${name.slice(0, 490)}.f`);
const scope = `user.${'s'.repeat(95)}`;

describe('names of all characters that a policy can allow', () => {
  const container = `/${'c'.repeat(480)}#~`;
  const dataset = names.find((name) => name.length === 500 && name.startsWith('/')) ?? '';

  beforeAll(async () => {
    const { must } = server;
    await must('POST', `/accounts/root/scopes/${scope}`);
    await addDisk(server, 'DISK');
    const dids = names.map((name) => ({ scope, name, type: 'DATASET' }));
    await must('POST', '/dids', dids);
    await must('POST', `/dids/${scope}/${segment(container)}`, { type: 'CONTAINER' });
    await must('POST', `/dids/${scope}/${segment(container)}/dids`, { dids: names.map((name) => ({ scope, name })) });
    const elements = files.map((name) => ({ scope, name, bytes: 1, adler32: '00620062' }));
    await must('POST', `/dids/${scope}/${segment(dataset)}/dids`, { dids: elements, rse: 'DISK' });
  });

  const namesOf = (lines: readonly unknown[]) => (lines as { readonly name: string }[]).map(({ name }) => name);

  it('are all there, each once', async () => {
    const content = await server.must('GET', `/dids/${scope}/${segment(container)}/dids`);
    expect(namesOf(content.lines).toSorted()).toEqual(names);
    const all = await server.must('GET', `/dids/${scope}/?recursive=1`);
    expect(namesOf(all.lines).toSorted()).toEqual([...names, ...files, container].toSorted());
  });

  it('are read and found by themselves', async () => {
    for (const name of names) {
      expect((await server.must('GET', `/dids/${scope}/${segment(name)}`)).lines).toMatchObject([{ name }]);
      const found = await server.must('GET', `/dids/${scope}/dids/search?type=all&name=${segment(name)}`);
      expect(found.lines).toEqual([name]);
      const parents = await server.must('GET', `/dids/${scope}/${segment(name)}/parents`);
      expect(namesOf(parents.lines)).toEqual([container]);
    }
  });

  it('are listed in order by their beginnings', async () => {
    for (const beginning of ['a', '/', '~', '#', 'a#', '+', 'a~']) {
      const found = await server.must('GET', `/dids/${scope}/dids/search?type=collection&name=${segment(beginning)}*`);
      const wanted = [...names, container].filter((name) => name.startsWith(beginning));
      expect(found.lines, beginning).toEqual(wanted.toSorted());
    }
  });

  it('are in the pages of a list without a gap', async () => {
    const found: string[] = [];
    let next: string | undefined = `/dids/${scope}/${segment(container)}/dids?limit=7`;
    while (next !== undefined) {
      const response: Response = await fetch(server.process.url + next, { headers: server.headers });
      expect(response.status).toBe(200);
      const text = await response.text();
      found.push(
        ...namesOf(
          text
            .split('\n')
            .filter(Boolean)
            .map((line) => JSON.parse(line) as unknown),
        ),
      );
      next = /<([^>]+)>; rel="next"/.exec(response.headers.get('Link') ?? '')?.[1];
    }
    expect(found.toSorted()).toEqual(names);
    expect(found).toEqual(found.toSorted());
  });

  it('are in metalinks and PFNs, which lead back to them', async () => {
    const dids = [{ scope, name: dataset }];
    const replicas = (await server.must('POST', '/replicas/list', { dids })).lines as {
      readonly name: string;
      readonly rses: Readonly<Record<string, string[]>>;
    }[];
    expect(namesOf(replicas).toSorted()).toEqual(files.toSorted());
    const pfns = replicas.flatMap(({ rses }) => rses['DISK'] ?? []);
    expect(new Set(pfns).size).toBe(files.length);
    const traced = (await server.must('POST', '/replicas/dids', { rse: 'DISK', pfns })).lines;
    const back = Object.assign({}, ...traced) as Readonly<Record<string, { readonly name: string }>>;
    for (const { name, rses } of replicas) expect(back[rses['DISK']?.[0] ?? '']).toEqual({ scope, name });
    const headers = { ...server.headers, Accept: 'application/metalink4+xml' };
    const body = JSON.stringify({ dids });
    const metalink = await (
      await fetch(`${server.process.url}/replicas/list`, { method: 'POST', headers, body })
    ).text();
    const identities = [...metalink.matchAll(/<identity>([^<]*)<\/identity>/g)].map(([, text = '']) => text);
    expect(identities.toSorted()).toEqual(files.map((name) => `${scope}:${name}`).toSorted());
  });
});

describe('a path with folders between scope and name', () => {
  it.each(templates)('%s belongs to one file', async (template) => {
    const index = templates.indexOf(template);
    const rse = `DISK${index}`;
    await addDisk(server, rse, { attributes: { lfn2pfn_algorithm: `own${index}` } });
    const [scopeOfBob, scopeOfData] = [`user.bob${index}`, `user.bob${index}.data`];
    const add = (owner: string, name: string) =>
      server.ask('POST', '/replicas', { rse, files: [{ scope: owner, name, bytes: 1, adler32: '00000001' }] });
    for (const added of [scopeOfBob, scopeOfData]) await server.must('POST', `/accounts/root/scopes/${added}`);
    expect((await add(scopeOfBob, 'data/x')).status).toBe(201);
    const twin = await add(scopeOfData, 'x');
    const pfns = await server.must('POST', '/replicas/list', {
      dids: [
        { scope: scopeOfBob, name: 'data/x' },
        { scope: scopeOfData, name: 'x' },
      ].slice(0, twin.status === 201 ? 2 : 1),
    });
    const paths = pfns.lines.flatMap((line) => Object.keys((line as { pfns: object }).pfns));
    expect(new Set(paths).size).toBe(twin.status === 201 ? 2 : 1);
    if (template.includes('/data/')) expect(twin.status).toBeGreaterThanOrEqual(400);
  });
});
