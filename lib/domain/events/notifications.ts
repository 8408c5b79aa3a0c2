import { mapLimited } from '../../parallel.ts';
import type { Table } from '../../store/batches/table.ts';
import { type DatasetLock, listDatasetLocks } from '../../store/entities/dataset-lock.ts';
import { type Did, getDid, getDids } from '../../store/entities/did.ts';
import { listRulesOf, type Rule } from '../../store/entities/rule.ts';
import type { ChangeOf } from '../../store/stream/change.ts';
import { listDatasetsBelow } from '../did-graph/datasets-below.ts';
import { formatDid } from '../values/format-did.ts';
import { stateOfRule } from '../values/rule-state.ts';
import { aboutDid, type EventDraft } from './draft.ts';
import type { Facts } from './facts.ts';

/** Datasets whose locks are read at once. */
const parallel = 16;

/**
 * What somebody has asked to be told about a rule (spec/replication.md 3.8): that all of it is there, or how far it has
 * come. Looks up the DID of a rule that wants to know of it, and the dataset locks of one that has become OK.
 */
export async function notificationsOfRule(
  table: Table,
  { before, after }: ChangeOf<'rule'>,
  facts: Facts,
): Promise<EventDraft[]> {
  if (after === undefined || after.notification === 'NO') return [];
  const state = stateOfRule(after);
  if (state === 'OK') {
    const isNews = before === undefined || stateOfRule(before) !== 'OK' || after.ok > before.ok;
    return isNews ? notificationsOf(table, after, facts) : [];
  }
  if (state !== 'REPLICATING' || after.notification !== 'PROGRESS' || before === undefined) return [];
  if (before.replicating === 0 || progressOf(before.replicating, after) === progressOf(after.replicating, after))
    return [];
  const did = await getDid(table, after.did);
  return did?.open === false ? [progress(after)] : [];
}

/** A collection that is closed tells those who have waited for that. */
export async function notificationsOfClosing(
  table: Table,
  { before, after }: ChangeOf<'did'>,
  facts: Facts,
): Promise<EventDraft[]> {
  if (before?.open !== true || after?.open !== false) return [];
  const rules = await Array.fromAsync(listRulesOf(table, after));
  const waiting = rules.filter((rule) => rule.notification !== 'NO' && stateOfRule(rule) === 'OK');
  return (await Promise.all(waiting.map((rule) => notificationsOf(table, rule, facts)))).flat();
}

/** What is told of a rule that is OK. */
async function notificationsOf(table: Table, rule: Rule, { rseName }: Facts): Promise<EventDraft[]> {
  const did = rule.notification === 'YES' ? undefined : await getDid(table, rule.did);
  const isTold = rule.notification === 'YES' || did?.open === false;
  const ok = isTold ? [about('RULE_OK', rule, {})] : [];
  const done = isTold && rule.notification === 'PROGRESS' ? [progress(rule)] : [];
  const locks = (await finishedLocks(table, rule)).map(({ did: dataset, rseId: rse_id }) => {
    const data = { rse: rseName(rse_id), rse_id, rule_id: rule.id };
    return aboutDid('DATASETLOCK_OK', dataset, data, `DATASETLOCK_OK.${rule.id}.${rse_id}.${formatDid(dataset)}`);
  });
  return [...ok, ...done, ...locks];
}

/** The dataset locks of a rule of which is told now that it is OK. */
async function finishedLocks(table: Table, rule: Rule): Promise<DatasetLock[]> {
  if (rule.grouping === 'NONE' || rule.notification === 'PROGRESS') return [];
  const datasets = (await datasetsOf(table, rule)).filter(
    (dataset) => rule.notification === 'YES' || isFull(dataset, rule),
  );
  return (await mapLimited(datasets, parallel, (dataset) => listDatasetLocks(table, dataset, rule.id))).flat();
}

async function datasetsOf(table: Table, { did, didType }: Rule): Promise<Did[]> {
  if (didType === 'FILE') return [];
  return didType === 'DATASET' ? getDids(table, [did]) : Array.fromAsync(listDatasetsBelow(table, did));
}

/** As Rucio has it: closed, and with as many files and copies as the whole rule has locks. */
function isFull({ open, length }: Did, { copies, ok }: Rule): boolean {
  return open === false && Number(length) * copies === ok;
}

function progress(rule: Rule): EventDraft {
  return about('RULE_PROGRESS', rule, { progress: progressOf(rule.replicating, rule) });
}

/** How much of a rule is there, in steps of ten per cent. */
function progressOf(replicating: number, rule: Rule): number {
  const total = rule.ok + rule.replicating;
  return total === 0 ? 0 : Math.max(0, Math.floor(((total - replicating) / total) * 10) * 10);
}

function about(type: 'RULE_OK' | 'RULE_PROGRESS', { id, did }: Rule, data: EventDraft['data']): EventDraft {
  return aboutDid(type, did, { rule_id: id, ...data }, `${type}.${id}`);
}
