import { bytesOf } from '../model/model.ts';
import { allNames, floodKeys } from './actions.ts';
import type { Deployment } from './deployment.ts';
import { flawsOfEvents } from './event-sums.ts';
import { flawsOfSearches } from './metadata-index.ts';
import { Catalogue, describeDid, kindOf, makeDid, type ModelDid, type Value } from './model.ts';
import { rses, ruleRses } from './names.ts';
import { flawsOfOpendata } from './opendata.ts';
import type { Values } from './records.ts';
import { otherAccount } from './replication-actions.ts';
import { type Row, rowsOf } from './rows.ts';
import type { RuleLedger } from './rule-ledger.ts';
import { flawsOfSubscriptions } from './subscriptions.ts';

/** The whole catalogue as it was read, and its contradictions. */
export interface Snapshot {
  readonly catalogue: Catalogue;
  /** Contradictions. */
  readonly flaws: readonly string[];
  /** Contradictions that may resolve later: events of files in datasets and attachments. */
  readonly late: readonly string[];
}

const accounts = ['root', otherAccount];

const metaKeys = ['datatype', 'run_number', 'flavour'];

/** Reads the content of a scope through the interface and compares its parts with each other. */
export async function takeSnapshot(deployment: Deployment, scope: string): Promise<Snapshot> {
  const [flaws, late]: [string[], string[]] = [[], []];
  const dids = allNames.map((name) => ({ scope, name }));
  const body = { dids, plugin: 'ALL' };
  const answer = await deployment.requestSuccess({ method: 'POST', path: '/dids/bulkmeta', body });
  const rows = new Map(rowsOf(answer).map((row) => [String(row['name']), row]));
  const found = new Map<string, ModelDid>();
  for (const [name, row] of rows) {
    const { children, files } = kindOf(name) === 'FILE' ? noContent : await readContent(deployment, scope, name);
    const did = makeDid(row['is_open'] === true, metaOf(name, row), children);
    found.set(name, did);
    if (row['did_type'] !== kindOf(name)) flaws.push(`${name} is a ${String(row['did_type'])}`);
    if (kindOf(name) === 'FILE') continue;
    const shown = await readDid(deployment, scope, name);
    if (shown !== describeDid(name, did))
      flaws.push(`${name} is shown as ${shown}, by its content ${describeDid(name, did)}`);
    if (kindOf(name) === 'DATASET') late.push(...flawsOfEvents(name, row, files, rows));
  }
  return { catalogue: new Catalogue(found), flaws, late };
}

const noContent = { children: [], files: [] };

async function readContent(deployment: Deployment, scope: string, name: string) {
  const at = `/dids/${scope}/${name}`;
  const read = async (path: string) => rowsOf(await deployment.requestSuccess({ method: 'GET', path }));
  const files = kindOf(name) === 'DATASET' ? await read(`${at}/files`) : [];
  const children = kindOf(name) === 'DATASET' ? files : await read(`${at}/dids`);
  return { files, children: children.map((row) => String(row['name'])) };
}

async function readDid(deployment: Deployment, scope: string, name: string): Promise<string> {
  const { text } = await deployment.requestSuccess({ method: 'GET', path: `/dids/${scope}/${name}` });
  return shownDid(text);
}

/** The part of the answer to `GET /dids/{scope}/{name}` that the model knows. */
export function shownDid(text: string): string {
  const { type, open, length, bytes } = JSON.parse(text) as Row;
  if (type !== 'DATASET') return JSON.stringify([type, type === 'FILE' ? null : open]);
  return JSON.stringify([type, open, length, bytes]);
}

function metaOf(name: string, row: Row): Record<string, Value> {
  const keys = kindOf(name) === 'FILE' ? [...metaKeys, 'events'] : metaKeys;
  const meta: Record<string, Value> = {};
  for (const key of keys) if (row[key] !== null && row[key] !== undefined) meta[key] = row[key] as Value;
  const floods = new Set(floodKeys.map((key) => row[key]));
  if (floods.size > 1) meta['flood'] = 'a part';
  else if (row[floodKeys[0] ?? ''] !== undefined) meta['flood'] = row[floodKeys[0] ?? ''] as Value;
  return meta;
}

/** Checks rules, locks, usage, searches and leftovers against the catalogue. */
export async function audit(
  deployment: Deployment,
  { made, gone }: Pick<RuleLedger, 'made' | 'gone'>,
  scope: string,
): Promise<string[]> {
  const flaws = await deployment.withoutFaults(async (service) => [
    ...(await service.findWrongUsage()),
    ...(await service.findWrongListing()),
  ]);
  const rules = rowsOf(await deployment.requestSuccess({ method: 'GET', path: '/rules/' }));
  const present = new Set(rules.map(({ id }) => String(id)));
  for (const id of made) if (!gone.has(id) && !present.has(id)) flaws.push(`the rule ${id} is lost`);
  const locked = new Map<string, number>();
  for (const rule of rules) {
    const id = String(rule['id']);
    if (gone.has(id)) flaws.push(`the rule ${id} has not gone`);
    flaws.push(...(await flawsOfRule(deployment, rule, locked)));
  }
  for (const account of accounts) {
    for (const rse of rses) {
      const reply = await deployment.requestAny({ method: 'GET', path: `/accounts/${account}/usage/local/${rse}` });
      const [usage] = reply.status === 200 ? rowsOf(reply) : [];
      const used = Number(usage?.['bytes'] ?? 0);
      const bytes = locked.get(`${account} ${rse}`) ?? 0;
      if (used !== bytes) flaws.push(`${account} uses ${used} bytes of ${rse}, rules lock ${bytes}`);
    }
  }
  flaws.push(...findDoubledRules(rules));
  const items = deployment.table.scan();
  return [
    ...flaws,
    ...(await flawsOfTransfers(deployment)),
    ...(await flawsOfSearches(deployment, scope, (await takeSnapshot(deployment, scope)).catalogue)),
    ...flawsOfOpendata(items),
    ...flawsOfSubscriptions(items, scope, rules),
    ...findLeftovers(items, deployment.scheduler.now),
  ];
}

/** A suspended rule does not take new content, and one without its approval none. */
const withoutContent = new Set(['SUSPENDED', 'WAITING_APPROVAL']);

/** A rule has a lock for each file below its DID, and its counters are right. */
async function flawsOfRule(deployment: Deployment, rule: Row, locked: Map<string, number>): Promise<string[]> {
  const id = String(rule['id']);
  const did = `${String(rule['scope'])}/${String(rule['name'])}`;
  const locks = rowsOf(await deployment.requestSuccess({ method: 'GET', path: `/rules/${id}/locks` }));
  const listed = await deployment.requestAny({ method: 'GET', path: `/dids/${did}/files` });
  if (listed.status !== 200) return [`the rule ${id} is on ${did}, whose files are answered ${listed.status}`];
  const files = rowsOf(listed);
  const [wanted, found] = [files, locks].map((rows) =>
    [...new Set(rows.map(({ name }) => String(name)))].sort().join(),
  );
  const flaws: string[] = [];
  const what = `the rule ${id} on ${did}, ${String(rule['state'])} (${String(rule['error'])}),`;
  if (!withoutContent.has(String(rule['state'])) && wanted !== found)
    flaws.push(`${what} locks ${found}, its files are ${wanted}`);
  const counted = { OK: 0, REPLICATING: 0, STUCK: 0 };
  for (const { state, rse, name } of locks) {
    counted[state as keyof typeof counted] += 1;
    const place = `${String(rule['account'])} ${String(rse)}`;
    locked.set(place, (locked.get(place) ?? 0) + bytesOf(String(name)));
  }
  const shown = [rule['locks_ok_cnt'], rule['locks_replicating_cnt'], rule['locks_stuck_cnt']].join();
  if (shown !== Object.values(counted).join()) flaws.push(`${what} counts ${shown}, has ${JSON.stringify(counted)}`);
  return flaws;
}

/** Rules that a subscription has made twice. */
function findDoubledRules(rules: readonly Row[]): string[] {
  const ofSubscriptions = rules.filter(({ subscription_id: id }) => typeof id === 'string');
  const wishes = Map.groupBy(ofSubscriptions, (rule) =>
    ['subscription_id', 'scope', 'name', 'rse_expression', 'account'].map((key) => String(rule[key])).join(' '),
  );
  return [...wishes].filter(([, { length }]) => length > 1).map(([wish]) => `a subscription made two rules: ${wish}`);
}

/** A copy that a rule waits for is asked for, and no other one. */
async function flawsOfTransfers(deployment: Deployment): Promise<string[]> {
  const locks = rowsOf(await deployment.requestSuccess({ method: 'GET', path: '/rules/' })).map(({ id }) =>
    deployment.requestSuccess({ method: 'GET', path: `/rules/${String(id)}/locks` }),
  );
  const open = (await Promise.all(locks)).flatMap((answer) => rowsOf(answer).filter(({ state }) => state !== 'OK'));
  const copyOf = ({ name, rse }: Row) => `${String(name)} at ${String(rse)}`;
  const path = `/requests/list?src_rse=*&dst_rse=${rses.join('|')}&request_states=Q,G,S,N,W,O,M`;
  const asked = rowsOf(await deployment.requestSuccess({ method: 'GET', path }));
  const wanted = new Set(open.filter(({ state }) => state === 'REPLICATING').map(copyOf));
  // A copy that a rule has asked for goes on after its end if it cures a stuck lock of another rule.
  const useful = new Set(open.map(copyOf));
  const found = new Set(asked.map(({ name, dest_rse: rse }) => copyOf({ name, rse })));
  return [
    ...[...wanted].filter((copy) => !found.has(copy)).map((copy) => `nobody is asked for ${copy}`),
    ...[...found].filter((copy) => !useful.has(copy)).map((copy) => `${copy} is asked for, and nobody waits for it`),
  ];
}

/** Replicas at the RSEs of the reaper that are available without a file. */
export async function findLostFiles(deployment: Deployment, scopes: readonly string[]): Promise<string[]> {
  const available = await deployment.withoutFaults((service) => service.listAvailable(scopes));
  const names = new Map<string, string>();
  for (const rse of ruleRses) {
    const [row] = rowsOf(await deployment.requestSuccess({ method: 'GET', path: `/rses/${rse}` }));
    names.set(String(row?.['id']), rse);
  }
  const found = available.flatMap(({ rseId, ...did }) => {
    const rse = names.get(rseId);
    return rse === undefined ? [] : [{ ...did, rse }];
  });
  return deployment.storage.findLost(found);
}

/** Whether a task still waits for the index to show attachments. */
export function awaitsIndex(deployment: Deployment): boolean {
  return deployment.table.scan().some(({ task }) => JSON.stringify(task?.['M'] ?? {}).includes('followShown'));
}

/** A batch that has committed may take so long to fold. */
const foldingMs = 60_000;

/** Finds stamps and records of requests that ended long ago. */
function findLeftovers(items: readonly Values[], now: number): string[] {
  const batches = items.filter(({ PK }) => PK?.S?.startsWith('BATCH#'));
  // Background work may be under way.
  const live = new Set(batches.filter((batch) => endOf(batch) > now).map(({ SK }) => SK?.S));
  const found: string[] = [];
  for (const item of items) {
    const key = `${item['PK']?.S} ${item['SK']?.S}`;
    for (const name of Object.keys(item)) {
      const batch = name === 'gone' ? item['gone']?.S : name.slice(1);
      if ((name.startsWith('~') || name === 'gone') && !live.has(batch)) found.push(`${key} still has ${name}`);
    }
  }
  for (const { PK, SK, state } of batches) {
    if (state?.S === 'pending' && !live.has(SK?.S)) found.push(`${PK?.S} ${SK?.S} is still pending`);
  }
  return found;
}

/** The time by which a batch must have been rolled back or folded. */
function endOf({ state, deadline, at }: Values): number {
  return state?.S === 'pending' ? Number(deadline?.N) : Number(at?.N ?? 0) + foldingMs;
}

/** Describes some entries that only the catalogue has, and some that only its events tell of. */
export function describeDifferences(held: readonly string[], told: readonly string[]): string[] {
  const [heldSet, toldSet] = [new Set(held), new Set(told)];
  const untold = held.filter((text) => !toldSet.has(text)).map((text) => `no event tells of ${text}`);
  const unreal = told.filter((text) => !heldSet.has(text)).map((text) => `events tell of ${text}, which is not so`);
  return [...untold.slice(0, 3), ...unreal.slice(0, 3)];
}
