import { expectStatus } from '../support/replicas.ts';
import { expectState } from '../support/replication.ts';
import { newDataset, newRule, newRuleSetup } from '../support/rules.ts';
import { asRoot } from '../support/server.ts';

const root = asRoot();

/** Graphs that are expensive to walk. */
export interface Shapes {
  /** Names of DIDs at their tops, bottoms and between. */
  readonly names: readonly string[];
  /** Rules on those at the tops; the last one waits for a copy of each of these files. */
  readonly ruleIds: readonly string[];
  readonly copied: readonly string[];
  /** Number of DIDs and attachments. */
  readonly size: number;
}

/** Levels of the ladder, of which each doubles the ways down; of the chain; and what the others hold. */
const [rungs, links, several, many] = [14, 25, 10, 120];

/**
 * Makes graphs of all shapes in a scope: a ladder of containers with two ways at each rung, a long chain, containers that all
 * hold the same datasets, a container of empty datasets, a wide dataset, and an archive; and rules on them, on two RSEs.
 */
export async function makeShapes(scope: string, [rse = '', elsewhere = '']: readonly string[]): Promise<Shapes> {
  let size = 0;
  const make = async (name: string, type: string, children: readonly string[], more: object = {}) => {
    const dids = children.map((child) => ({ scope, name: child, ...more }));
    const registered = type === 'DATASET' && children.length > 0 ? { rse } : {};
    expectStatus(await root.post(`/dids/${scope}/${name}`, { type, dids, ...registered }), 201);
    size += 1 + 2 * children.length;
    return name;
  };
  const numbered = (count: number, stem: string) =>
    Array.from({ length: count }, (_value, index) => `${stem}.${index}`);

  const copied = numbered(many, 'wide.file');
  const wide = await make('wide', 'DATASET', copied, { bytes: 1 });
  let ladder = await make('ladder.foot', 'CONTAINER', [wide]);
  for (let rung = 0; rung < rungs; rung += 1) {
    const sides = [
      await make(`ladder.left.${rung}`, 'CONTAINER', [ladder]),
      await make(`ladder.right.${rung}`, 'CONTAINER', [ladder]),
    ];
    ladder = await make(`ladder.${rung}`, 'CONTAINER', sides);
  }
  let chain = await make('chain.end', 'DATASET', []);
  for (let link = 0; link < links; link += 1) chain = await make(`chain.${link}`, 'CONTAINER', [chain]);
  const shared: string[] = [];
  for (const name of numbered(several, 'shared.dataset')) shared.push(await make(name, 'DATASET', []));
  const holders: string[] = [];
  for (const name of numbered(several, 'holder')) holders.push(await make(name, 'CONTAINER', shared));
  const all = await make('holders', 'CONTAINER', holders);
  const archive = 'archive.zip';
  expectStatus(await root.post('/replicas', { rse, files: [{ scope, name: archive, bytes: 1 }] }), 201);
  const members = numbered(several, 'member').map((name) => ({ scope, name, bytes: 1 }));
  expectStatus(await root.post(`/dids/${scope}/${archive}/dids`, { dids: members }), 201);
  size += 1 + 2 * several;
  const names = [ladder, 'ladder.foot', 'ladder.7', wide, 'wide.file.0', chain, 'chain.end', all, 'holder.0'];
  for (const one of [rse, elsewhere]) await root.post(`/accounts/root/limits/local/${one}`, { bytes: -1 });
  const ruleIds: string[] = [];
  const places = [wide, ladder, chain, all].map((name) => [name, rse]);
  for (const [name, place] of [...places, [wide, elsewhere]]) {
    const rule = { dids: [{ scope, name }], account: 'root', copies: 1, rse_expression: place };
    const answer = await root.post('/rules/', rule);
    expectStatus(answer, 201);
    ruleIds.push(...(answer.json() as string[]));
  }
  return { names: [...names, 'shared.dataset.0', archive, 'member.0'], ruleIds, copied, size };
}

/** Requests copies of as many files as the wide dataset has, whose only source cannot be read any more. @returns The destination. */
export async function requestWithoutSource(): Promise<string> {
  const { scope, one: source, two: destination } = await newRuleSetup();
  const rule = await newRule(await newDataset(scope, source, many), destination);
  await expectState(rule, `REPLICATING 0/${many}/0`);
  expectStatus(await root.put(`/rses/${source}`, { availability_read: false }), 201);
  return destination;
}

/** DIDs and attachments that there are in a scope now: some requests make more. */
export async function sizeOf(scope: string): Promise<number> {
  const dids = (await root.get(`/dids/${scope}/dids/search?type=all&long=true`)).lines() as {
    readonly name: string;
    readonly did_type: string;
  }[];
  let size = dids.length;
  for (const { name, did_type } of dids) {
    if (did_type !== 'FILE') size += (await root.get(`/dids/${scope}/${name}/dids`)).lines().length;
  }
  return size;
}

/** RSEs, all of which the first request after a change of one reads, at less than a unit each (ADR 0010). */
export async function countRses(): Promise<number> {
  return (await root.get('/rses')).lines().length;
}
