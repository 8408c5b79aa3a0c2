/** Containers that share content: a DID that is reachable by many paths is visited once (docs/api.md). */
import { beforeAll, describe, expect, it } from 'vitest';

import { newDidSetup } from '../support/dids.ts';
import { asRoot, expectError } from '../support/server.ts';
import { walk } from '../support/walk.ts';

type Place = Awaited<ReturnType<typeof newDidSetup>>;

/** The number of paths to the bottom doubles at each level: 2^30 cannot be walked one by one. */
const levels = 30;

let setup: Place;
/** The top of the ladder and its last rung. */
let top: string;
let bottom: string;
let dataset: string;
let files: string[];
/** Rows of a listing below the top: an attachment each. */
const attachments = 4 * levels + 1 + 3;

beforeAll(async () => {
  setup = await newDidSetup();
  ({ dataset, files } = await setup.addFiles(3));
  bottom = await setup.add('CONTAINER', { dids: [{ scope: setup.scope, name: dataset }] });
  top = bottom;
  for (let level = 0; level < levels; level += 1) {
    const below = [{ scope: setup.scope, name: top }];
    const sides = [await setup.add('CONTAINER', { dids: below }), await setup.add('CONTAINER', { dids: below })];
    top = await setup.add('CONTAINER', { dids: sides.map((name) => ({ scope: setup.scope, name })) });
  }
});

const namesOf = (rows: readonly unknown[]) => rows.map((row) => (row as { name: string }).name);
const paged = async (path: string, limit: number) => (await walk(setup.alice, path, limit)).flat();

describe('content that is reachable by many paths', () => {
  it('is listed once: the files', async () => {
    const { alice, at } = setup;
    expect(namesOf((await alice.get(at(top, '/files'))).lines())).toEqual(files.toSorted());
    expect(namesOf((await alice.get(at(top, '/files?long'))).lines())).toEqual(files.toSorted());
    const dids = [{ scope: setup.scope, name: top }];
    expect(namesOf((await alice.post('/dids/bulkfiles', { dids })).lines())).toEqual(files.toSorted());
  });

  it('is listed once: each attachment', async () => {
    const { alice, scope } = setup;
    const rows = (await alice.get(`/dids/${scope}/?name=${top}&recursive=1`)).lines();
    expect(rows).toHaveLength(attachments);
    const pairs = rows.map((row) => {
      const { name, parent } = row as { name: string; parent: { name: string } };
      return `${parent.name} ${name}`;
    });
    expect(new Set(pairs).size).toBe(attachments);
  });

  it.each([1, 2, 5])('is listed once in pages of %i rows', async (limit) => {
    const { alice, at, scope } = setup;
    expect(await paged(at(top, '/files'), limit)).toEqual((await alice.get(at(top, '/files'))).lines());
    const listing = `/dids/${scope}/?name=${top}&recursive=1`;
    expect(await paged(listing, 10 * limit)).toEqual((await alice.get(listing)).lines());
  });

  it('is counted once, found once and drawn once', async () => {
    const { alice, at, scope } = setup;
    expect((await alice.get(at(top, '?dynamic_depth=FILE'))).json()).toMatchObject({ length: 3, bytes: 30 });
    const found = await alice.get(`/dids/${scope}/dids/search?type=all&recursive=True&name=${top}`);
    expect(found.lines()).toHaveLength(3 * levels + 1 + 1 + 3);
    expect(new Set(found.lines()).size).toBe(found.lines().length);
    const sample = {
      input_scope: scope,
      input_name: top,
      output_scope: scope,
      output_name: `${top}.sample`,
      nbfiles: 9,
    };
    expect((await alice.post('/dids/sample', sample)).status).toBe(201);
    expect((await alice.get(at(`${top}.sample`, '/dids'))).lines()).toHaveLength(3);
  });

  it('does not make walks up exponential', async () => {
    const { alice, at, scope } = setup;
    const circle = await alice.post(at(bottom, '/dids'), { dids: [{ scope, name: top }] });
    expectError(circle, 409, 'UnsupportedOperation');
    const inner = await setup.add('CONTAINER');
    expect((await setup.attach(bottom, [inner])).status).toBe(201);
    const parents = await asRoot().post('/replicas/list', { dids: [{ scope, name: files[0] }], resolve_parents: true });
    const [line] = parents.lines() as { parents: string[] }[];
    expect(line?.parents).toContain(`${scope}:${top}`);
    expect(new Set(line?.parents).size).toBe(line?.parents.length);
  });
});
