import { mapLimited } from '../../parallel.ts';
import type { Table } from '../../store/batches/table.ts';
import { type DatasetLock, getDatasetLocks } from '../../store/entities/dataset-lock.ts';
import { asCollection, type CollectionDid, getCollections, getDid } from '../../store/entities/did.ts';
import { listRulesOf, type Rule } from '../../store/entities/rule.ts';
import type { ChangeOf } from '../../store/stream/change.ts';
import { listDatasetsBelow } from '../did-graph/datasets-below.ts';
import { formatDid } from '../values/format-did.ts';
import { stateOfRule } from '../values/rule-state.ts';
import { draftDidEvent, type EventDraft } from './draft-event.ts';
import type { EventFacts } from './event-facts.ts';

const maxParallelReads = 16;

/**
 * The notifications of a rule (spec/replication.md 3.8): it is OK, or how much of it is done. Reads the DID where the
 * notification depends on it, and the dataset locks of a rule that became OK.
 */
export async function notificationsOfRule(
  table: Table,
  { before, after }: ChangeOf<'rule'>,
  facts: EventFacts,
): Promise<EventDraft[]> {
  if (after === undefined || after.notification === 'NO') return [];
  const state = stateOfRule(after);
  if (state === 'OK') {
    const hasProgressed = before === undefined || stateOfRule(before) !== 'OK' || after.ok > before.ok;
    return hasProgressed ? notificationsOf(table, after, facts) : [];
  }
  if (state !== 'REPLICATING' || after.notification !== 'PROGRESS' || before === undefined) return [];
  if (before.replicating === 0 || progressOf(before.replicating, after) === progressOf(after.replicating, after))
    return [];
  const collection = asCollection(await getDid(table, after.did));
  return collection?.open === false ? [progress(after)] : [];
}

/** The notifications of OK rules that waited for their collection to be closed. */
export async function notificationsOfClosing(
  table: Table,
  { before, after }: ChangeOf<'did'>,
  facts: EventFacts,
): Promise<EventDraft[]> {
  if (asCollection(before)?.open !== true || after === undefined || asCollection(after)?.open !== false) return [];
  const rules = await Array.fromAsync(listRulesOf(table, after));
  const waiting = rules.filter((rule) => rule.notification !== 'NO' && stateOfRule(rule) === 'OK');
  return (await Promise.all(waiting.map((rule) => notificationsOf(table, rule, facts)))).flat();
}

/** The notifications of an OK rule. */
async function notificationsOf(table: Table, rule: Rule, { rseName }: EventFacts): Promise<EventDraft[]> {
  const isNotified = rule.notification === 'YES' || asCollection(await getDid(table, rule.did))?.open === false;
  const ok = isNotified ? [about('RULE_OK', rule, {})] : [];
  const done = isNotified && rule.notification === 'PROGRESS' ? [progress(rule)] : [];
  const locks = (await finishedLocks(table, rule)).map(({ did: dataset, rseId: rse_id }) => {
    const data = { rse: rseName(rse_id), rse_id, rule_id: rule.id };
    return draftDidEvent('DATASETLOCK_OK', dataset, data, `DATASETLOCK_OK.${rule.id}.${rse_id}.${formatDid(dataset)}`);
  });
  return [...ok, ...done, ...locks];
}

/** The dataset locks of an OK rule that are notified now. */
async function finishedLocks(table: Table, rule: Rule): Promise<DatasetLock[]> {
  if (rule.grouping === 'NONE' || rule.notification === 'PROGRESS') return [];
  const datasets = (await datasetsOf(table, rule)).filter(
    (dataset) => rule.notification === 'YES' || isFull(dataset, rule),
  );
  return (await mapLimited(datasets, maxParallelReads, (dataset) => getDatasetLocks(table, dataset, rule.id))).flat();
}

async function datasetsOf(table: Table, { did, didType }: Rule): Promise<CollectionDid[]> {
  if (didType === 'FILE') return [];
  return didType === 'DATASET' ? getCollections(table, [did]) : Array.fromAsync(listDatasetsBelow(table, did));
}

/** Rucio's condition: closed, and its files times the copies are all OK locks of the rule. */
function isFull({ open, length }: CollectionDid, { copies, ok }: Rule): boolean {
  return open === false && Number(length) * copies === ok;
}

function progress(rule: Rule): EventDraft {
  return about('RULE_PROGRESS', rule, { progress: progressOf(rule.replicating, rule) });
}

/** The share of OK locks of a rule, in steps of ten per cent. */
function progressOf(replicating: number, rule: Rule): number {
  const total = rule.ok + rule.replicating;
  return total === 0 ? 0 : Math.max(0, Math.floor(((total - replicating) / total) * 10) * 10);
}

function about(type: 'RULE_OK' | 'RULE_PROGRESS', { id, did }: Rule, data: EventDraft['data']): EventDraft {
  return draftDidEvent(type, did, { rule_id: id, ...data }, `${type}.${id}`);
}
