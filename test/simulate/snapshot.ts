import { allNames, floodKeys } from './actions.ts';
import type { Deployment } from './deployment.ts';
import { flawsOfEvents } from './event-sums.ts';
import { Catalogue, describeDid, kindOf, makeDid, type ModelDid, type Value } from './model.ts';
import { type Row, rowsOf } from './rows.ts';

/** The whole catalogue as it was read, and its contradictions. */
export interface Snapshot {
  readonly catalogue: Catalogue;
  /** Contradictions. */
  readonly flaws: readonly string[];
  /** Contradictions that may resolve later: events of files in datasets and attachments. */
  readonly late: readonly string[];
}

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

/** Whether a task still waits for the index to show attachments. */
export function awaitsIndex(deployment: Deployment): boolean {
  return deployment.table.scan().some(({ task }) => JSON.stringify(task?.['M'] ?? {}).includes('followShown'));
}

/** Describes some entries that only the catalogue has, and some that only its events tell of. */
export function describeDifferences(held: readonly string[], told: readonly string[]): string[] {
  const [heldSet, toldSet] = [new Set(held), new Set(told)];
  const untold = held.filter((text) => !toldSet.has(text)).map((text) => `no event tells of ${text}`);
  const unreal = told.filter((text) => !heldSet.has(text)).map((text) => `events tell of ${text}, which is not so`);
  return [...untold.slice(0, 3), ...unreal.slice(0, 3)];
}
