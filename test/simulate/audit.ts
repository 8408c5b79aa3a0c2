/** Checks at the end, when nothing is under way. */
import { bytesOf } from '../model/model.ts';
import { findOrphanedDatasetLocks } from './dataset-locks.ts';
import type { Deployment } from './deployment.ts';
import type { Reply } from './fleet.ts';
import { flawsOfSearches } from './metadata-index.ts';
import { passingRse, rses } from './names.ts';
import { flawsOfOpendata } from './opendata.ts';
import type { Values } from './records.ts';
import { otherAccount } from './replication-actions.ts';
import { type Row, rowsOf } from './rows.ts';
import type { RuleLedger } from './rule-ledger.ts';
import { takeSnapshot } from './snapshot.ts';
import { flawsOfSubscriptions } from './subscriptions.ts';

const accounts = ['root', otherAccount];

/** Checks rules, locks, usage, searches and leftovers against the catalogue. */
export async function audit(
  deployment: Deployment,
  { made, gone, suspended, subscribedAt }: Pick<RuleLedger, 'made' | 'gone' | 'suspended' | 'subscribedAt'>,
  scope: string,
): Promise<string[]> {
  const flaws = await deployment.withoutFaults(async (service) => [
    ...(await service.findWrongUsage()),
    ...(await service.findWrongListing()),
  ]);
  const placed = await readRules(deployment);
  const { status } = await deployment.requestAny({ method: 'GET', path: `/rses/${passingRse}` });
  const goneRse = status === 404 ? passingRse : undefined;
  const rules = placed.map(({ rule }) => rule);
  const present = new Set(rules.map(({ id }) => String(id)));
  for (const id of made) if (!gone.has(id) && !present.has(id)) flaws.push(`the rule ${id} is lost`);
  const locked = new Map<string, number>();
  const readFiles = makeFileReader(deployment);
  for (const one of placed) {
    const id = String(one.rule['id']);
    if (gone.has(id)) flaws.push(`the rule ${id} has not gone`);
    if (one.rule['state'] === 'SUSPENDED' && !suspended.has(id)) {
      flaws.push(`the rule ${id} is SUSPENDED (${String(one.rule['error'])}), and nobody has suspended it`);
    }
    flaws.push(...(await flawsOfRule(one, { readFiles, locked, goneRse })));
  }
  for (const account of accounts) {
    for (const rse of rses) {
      const reply = await deployment.requestAny({ method: 'GET', path: `/accounts/${account}/usage/local/${rse}` });
      // An account that was deleted shows none; the recount knows it as well.
      if (reply.status !== 200) continue;
      const [usage] = rowsOf(reply);
      const used = Number(usage?.['bytes'] ?? 0);
      const bytes = locked.get(`${account} ${rse}`) ?? 0;
      if (used !== bytes) flaws.push(`${account} uses ${used} bytes of ${rse}, rules lock ${bytes}`);
    }
  }
  flaws.push(...findDoubledRules(rules));
  const items = deployment.table.scan();
  return [
    ...flaws,
    ...(await flawsOfTransfers(deployment, placed)),
    ...(await flawsOfSearches(deployment, scope, (await takeSnapshot(deployment, scope)).catalogue)),
    ...findOrphanedDatasetLocks(items, rules),
    ...flawsOfOpendata(items),
    ...flawsOfSubscriptions(items, { scope, rules, subscribedAt }),
    ...findLeftovers(items, deployment.scheduler.now),
  ];
}

/** A rule with its locks. */
interface PlacedRule {
  readonly rule: Row;
  readonly locks: readonly Row[];
}

/** One after the other: at the same time each request would need an instance of its own. */
async function readRules(deployment: Deployment): Promise<PlacedRule[]> {
  const placed: PlacedRule[] = [];
  for (const rule of rowsOf(await deployment.requestSuccess({ method: 'GET', path: '/rules/' }))) {
    const path = `/rules/${String(rule['id'])}/locks`;
    placed.push({ rule, locks: rowsOf(await deployment.requestSuccess({ method: 'GET', path })) });
  }
  return placed;
}

/** Makes a function that reads the list of files of a DID, once. */
function makeFileReader(deployment: Deployment): (did: string) => Promise<Reply> {
  const known = new Map<string, Promise<Reply>>();
  return (did) => {
    const reply = known.get(did) ?? deployment.requestAny({ method: 'GET', path: `/dids/${did}/files` });
    known.set(did, reply);
    return reply;
  };
}

/** A suspended rule does not take new content, and one without its approval none. */
const withoutContent = new Set(['SUSPENDED', 'WAITING_APPROVAL']);

/**
 * Whether a rule must lock all files below its DID. As in Rucio, one whose lifetime ends within minutes is not placed, and one
 * that is locked does not end.
 */
function mustLockContent({ state, locked, expires_at: end }: PlacedRule['rule']): boolean {
  if (state === 'INJECT' && locked === true && end !== null) return false;
  return !withoutContent.has(String(state));
}

/** Expected locks of a rule. */
interface RuleSurroundings {
  readonly readFiles: (did: string) => Promise<Reply>;
  /** Locked bytes by account and RSE, to which those of the rule are added. */
  readonly locked: Map<string, number>;
  /** The RSE that operators have deleted. */
  readonly goneRse: string | undefined;
}

/**
 * A rule has a lock for each file below its DID, and its counters are right. An RSE may be deleted while rules ask for it that
 * have no content yet: these are stuck, as in Rucio.
 */
async function flawsOfRule(
  { rule, locks }: PlacedRule,
  { readFiles, locked, goneRse }: RuleSurroundings,
): Promise<string[]> {
  const id = String(rule['id']);
  const did = `${String(rule['scope'])}/${String(rule['name'])}`;
  const listed = await readFiles(did);
  if (listed.status !== 200) return [`the rule ${id} is on ${did}, whose files are answered ${listed.status}`];
  const files = rowsOf(listed);
  const [wanted, found] = [files, locks].map((rows) =>
    [...new Set(rows.map(({ name }) => String(name)))].sort().join(),
  );
  const flaws: string[] = [];
  const what = `the rule ${id} on ${did} for ${String(rule['rse_expression'])}, ${String(rule['state'])} (${String(rule['error'])}),`;
  const cannot = rule['rse_expression'] === goneRse && rule['state'] === 'STUCK';
  if (mustLockContent(rule) && !cannot && wanted !== found)
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

/**
 * Rules that a subscription has made twice. A rule that was moved stays until the one that replaces it is OK, and after that if
 * it is locked.
 */
function findDoubledRules(rules: readonly Row[]): string[] {
  const ofSubscriptions = rules.filter(
    ({ subscription_id: id, child_rule_id: successor, locked, expires_at: end }) =>
      typeof id === 'string' && successor === null && !(locked === true && end !== null),
  );
  const wishes = Map.groupBy(ofSubscriptions, (rule) =>
    ['subscription_id', 'scope', 'name', 'rse_expression', 'account'].map((key) => String(rule[key])).join(' '),
  );
  return [...wishes].filter(([, { length }]) => length > 1).map(([wish]) => `a subscription made two rules: ${wish}`);
}

/** A copy that a rule waits for is asked for, and no other one. */
async function flawsOfTransfers(deployment: Deployment, placed: readonly PlacedRule[]): Promise<string[]> {
  const open = placed.flatMap(({ locks }) => locks.filter(({ state }) => state !== 'OK'));
  const copyOf = ({ name, rse }: Row) => `${String(name)} at ${String(rse)}`;
  const path = '/requests/list?src_rse=*&dst_rse=*&request_states=Q,G,S,N,W,O,M';
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
