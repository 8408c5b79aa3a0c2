import { readFile } from 'node:fs/promises';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { expireDids } from '../../../lib/background/expire-dids.ts';
import { clock } from '../../../lib/clock.ts';
import { removeRuleNow } from '../../../lib/domain/rules/life-cycle/remove-rule.ts';
import { addRse } from '../../../lib/operations/rses/add-rse.ts';
import { addRules } from '../../../lib/operations/rules/add-rules.ts';
import { asFile, getDid } from '../../../lib/store/entities/did.ts';
import { getRule } from '../../../lib/store/entities/rule.ts';
import { listRulesOf } from '../../../lib/store/entities/rule.ts';
import { data } from '../../domain/dids/catalogue.ts';
import { writeMarkedPart } from '../../support/marked-part.ts';
import { settings, ways } from './ways.ts';
import { type DeletionWorld, newDeletionWorld, type Role, roles, titles } from './world.ts';

const page = 'docs/security.md';
const mark = 'npm run docs -- deletions';
const dayMs = 24 * 3_600_000;

let world: DeletionWorld;
beforeAll(async () => {
  world = await newDeletionWorld();
});
afterAll(() => world.close());

const kinds = ['free', 'ruled'] as const;
type Kind = (typeof kinds)[number];
const nameOf = (way: number, role: Role, kind: Kind) => `${way}-${role}-${kind}`;
const refusals = new Set<string>();

/** State of a file: `-`, `entry` (the catalogue has forgotten it, it is on the storage), `file`. */
async function fateOf(name: string): Promise<'-' | 'entry' | 'file'> {
  if (!(await world.isThere(name))) return 'file';
  const file = asFile(await getDid(world.at().store.table, data(name)));
  return file?.replicas.has(world.rseId) === true ? '-' : 'entry';
}

function describeFates(free: string, ruled: string): string {
  const words = (fate: string) => (fate === 'entry' ? 'the entry' : 'the file');
  if (free === '-' && ruled === '-') return '–';
  if (free === ruled) return `**${words(free)}, even under a rule**`;
  return ruled === '-' ? words(free) : `${words(ruled)} under a rule`;
}

const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;

it('the table of who can cause which deletion is that of docs/security.md', { timeout: 300_000 }, async () => {
  const all = ways.flatMap((_way, index) => roles.flatMap((role) => kinds.map((kind) => nameOf(index, role, kind))));
  await world.keep(all);
  const rules = new Map<string, string>();
  for (const name of all.filter((one) => one.endsWith('ruled'))) {
    const wish = { dids: [data(name)], account: null, copies: 1, rse_expression: 'FULL' };
    rules.set(name, (await addRules(world.as('owner'), wish))[0] ?? '');
  }
  const dids: string[] = [];
  for (const [index, way] of ways.entries()) {
    for (const role of roles) {
      for (const kind of kinds) {
        const name = nameOf(index, role, kind);
        const dataset = `ds-${name}`;
        await world.add(dataset, 'DATASET');
        await world.attach(dataset, [name]);
        dids.push(dataset);
        const target = { role, name, dataset, pfn: `file://localhost${world.pathOf(name)}`, ruleId: rules.get(name) };
        for (const step of way.steps(() => world.as(role), target))
          await step().catch((error: Error) => refusals.add(error.name));
      }
    }
  }
  // Time passes: rules and DIDs expire, then the reaper takes everything that may go.
  const later = Date.now() + dayMs;
  for (const name of all) {
    for await (const { id } of listRulesOf(world.at().store.table, data(name))) {
      const { expiresAt = later } = (await getRule(world.at().store.table, id)) ?? {};
      if (expiresAt < later) await removeRuleNow(world.store, id, { now: later, until: clock.now() + 60_000 });
    }
  }
  for (let run = 0; run < 3; run += 1) await expireDids(world.at(later + run * dayMs));
  await world.set('greedyDeletion', true);
  for (let run = 1; run <= 2; run += 1) await world.reap(2 * dayMs + run * 660_000);
  const lines = [
    row([
      'What is done to a file of the owner, whose only copy is on an RSE with a reaper',
      ...roles.map((role) => titles[role]),
    ]),
    row(['---', ...roles.map(() => '---')]),
  ];
  for (const [index, { title }] of ways.entries()) {
    const fates = [];
    for (const role of roles) {
      const [free = '-', ruled = '-'] = await Promise.all(kinds.map((kind) => fateOf(nameOf(index, role, kind))));
      fates.push(describeFates(free, ruled));
    }
    lines.push(row([title, ...fates]));
  }
  for (const { title, act } of settings) {
    const verdicts = [];
    for (const [index, role] of roles.entries()) {
      if (index === 0) await addRse(world.at(), 'SPARE', {}).catch(() => {});
      const isAllowed = await act(world.as(role)).then(
        () => true,
        (error: Error) => error.name !== 'AccessDenied',
      );
      verdicts.push(isAllowed ? 'may set it' : '–');
    }
    lines.push(row([title, ...verdicts]));
  }
  const text = lines.join('\n');
  // Nothing but refusals that a client would get.
  expect([...refusals].filter((name) => name === 'Error' || name === 'TypeError')).toEqual([]);
  if (process.env['WRITE_DELETIONS'] !== undefined) return writeMarkedPart(page, mark, text);
  const stored = (await readFile(page, 'utf8')).split(`<!-- ${mark} -->`)[1]?.split('<!-- end -->')[0] ?? '';
  const plain = (table: string) => table.replaceAll(/ +\|/g, ' |').replaceAll(/-+/g, '-').trim();
  expect(plain(text)).toBe(plain(stored));
});
