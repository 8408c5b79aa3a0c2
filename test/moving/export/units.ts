/**
 * A load for backups: units of work, each with a dataset, a container and rules of its own, so that what follows from a unit whose
 * requests were all answered is the same on every server that has them.
 */
import type { Session } from '../../../moving/compare/session.ts';

const scope = 'load';
const account = (unit: number) => `unit${unit}`;
const dataset = (unit: number) => ({ scope, name: `D.${unit}` });
const container = (unit: number) => ({ scope, name: `C.${unit}` });
const pathOf = ({ name }: { readonly name: string }) => `/dids/${scope}/${name}`;

/** Files that a unit attaches at once, and in smaller requests afterwards. */
const [manyFiles, fewFiles] = [40, 5];

/** The RSEs: that of the files, and those of the rules of a client, of a container, and of a subscription. */
const rses = ['LOAD-SRC', 'LOAD-DST', 'LOAD-CNT', 'LOAD-SUB'];

async function send(session: Session, method: string, path: string, body?: unknown): Promise<string> {
  const { status, text } = await session.call(method, path, body);
  if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`);
  return text;
}

/** Makes what all units use. */
export async function prepareUnits(session: Session): Promise<void> {
  await send(session, 'POST', `/scopes/root/${scope}`);
  for (const rse of rses) {
    await send(session, 'POST', `/rses/${rse}`, {});
    await send(session, 'POST', `/accounts/root/limits/local/${rse}`, { bytes: 10 ** 15 });
  }
  await send(session, 'POST', '/subscriptions/root/every-dataset', {
    options: {
      filter: { scope: [scope], did_type: ['DATASET'] },
      replication_rules: [{ rse_expression: 'LOAD-SUB', copies: 1, activity: 'Staging' }],
      comments: null,
      lifetime: null,
      retroactive: false,
    },
  });
}

const filesOf = (unit: number, from: number, count: number) =>
  Array.from({ length: count }, (_value, index) => ({
    scope,
    name: `f.${unit}.${from + index}`,
    bytes: 1_000 + index,
    adler32: '0cc737eb',
  }));

/** Does a unit, request by request. */
export async function runUnit(session: Session, unit: number): Promise<void> {
  const [data, box, owner] = [dataset(unit), container(unit), account(unit)];
  const addRule = (did: typeof data, expression: string) =>
    send(session, 'POST', '/rules', { dids: [did], account: owner, copies: 1, rse_expression: expression });
  await send(session, 'POST', `/accounts/${owner}`, { type: 'SERVICE', email: 'unit@example.org' });
  for (const rse of rses) await send(session, 'POST', `/accounts/${owner}/limits/local/${rse}`, { bytes: 10 ** 15 });
  await send(session, 'POST', pathOf(data), { type: 'DATASET' });
  await send(session, 'POST', pathOf(box), { type: 'CONTAINER' });
  await addRule(data, 'LOAD-SRC');
  await addRule(box, 'LOAD-CNT');
  const many = filesOf(unit, 0, manyFiles);
  await send(session, 'POST', `${pathOf(data)}/dids`, { dids: many, rse: 'LOAD-SRC' });
  await addRule(data, 'LOAD-DST');
  await send(session, 'POST', `${pathOf(box)}/dids`, { dids: [data] });
  for (let part = 0; part < 3; part += 1) {
    const few = filesOf(unit, manyFiles + part * fewFiles, fewFiles);
    await send(session, 'POST', `${pathOf(data)}/dids`, { dids: few, rse: 'LOAD-SRC' });
    const gone = many.slice(part * fewFiles, (part + 1) * fewFiles);
    await send(session, 'DELETE', `${pathOf(data)}/dids`, { dids: gone });
  }
  // Some containers lose the dataset again, with everything that their rules protect by then.
  if (unit % 3 === 0) await send(session, 'DELETE', `${pathOf(box)}/dids`, { dids: [data] });
  if (unit % 2 === 0) await send(session, 'PUT', `${pathOf(data)}/status`, { open: false });
}

type Row = Readonly<Record<string, unknown>>;

const told = (row: Row, names: string) =>
  names
    .split(' ')
    .map((name) => String(row[name]))
    .join(' ');

const ruleFacts = 'account rse_expression state locks_ok_cnt locks_replicating_cnt locks_stuck_cnt error';

/** State of a unit: rules with their locks, dataset locks, content, usage; as lines in a fixed order. */
export async function viewOfUnit(session: Session, unit: number): Promise<string[]> {
  const [data, box] = [dataset(unit), container(unit)];
  const rules = [
    ...(await session.rows('GET', `${pathOf(data)}/rules`)),
    ...(await session.rows('GET', `${pathOf(box)}/rules`)),
  ];
  const locks = await Promise.all(
    rules.map(async (rule) => {
      const rows = await session.rows('GET', `/rules/${String(rule['id'])}/locks`);
      return rows.map((row) => `${String(rule['rse_expression'])} locks ${told(row, 'name rse state')}`);
    }),
  );
  const datasetLocks = await session.rows('GET', `/locks/${scope}/${data.name}?did_type=dataset`);
  const content = await session.rows('GET', `${pathOf(data)}/dids`);
  const usage = await session.rows('GET', `/accounts/${account(unit)}/usage/local`);
  return [
    ...rules.map((row) => told(row, ruleFacts)),
    ...locks.flat(),
    ...datasetLocks.map((row) => told(row, 'rse state length bytes')),
    ...content.map((row) => told(row, 'name bytes')),
    ...usage.map((row) => told(row, 'rse bytes files')),
  ].toSorted();
}

/** Whether every rule of a unit has exactly the locks that its content asks for, usage counts them, and the subscription has made its rule. */
export async function isSettled(session: Session, unit: number): Promise<boolean> {
  const usage = new Map<unknown, number>();
  const expressions = new Set<unknown>();
  let isRight = true;
  for (const did of [dataset(unit), container(unit)]) {
    const [files, rules] = await Promise.all([
      session.rows('GET', `${pathOf(did)}/files`),
      session.rows('GET', `${pathOf(did)}/rules`),
    ]);
    const bytes = files.reduce((sum, file) => sum + Number(file['bytes']), 0);
    for (const rule of rules) {
      const { id, rse_expression: rse, state } = rule;
      const locks = await session.rows('GET', `/rules/${String(id)}/locks`);
      isRight &&= namesOf(locks) === namesOf(files) && (state === 'OK' || state === 'REPLICATING');
      isRight &&= Number(rule['locks_ok_cnt']) + Number(rule['locks_replicating_cnt']) === files.length;
      if (rule['account'] === account(unit)) usage.set(rse, (usage.get(rse) ?? 0) + bytes);
      expressions.add(rse);
    }
  }
  const counted = await session.rows('GET', `/accounts/${account(unit)}/usage/local`);
  isRight &&= counted.every((row) => Number(row['bytes']) === (usage.get(row['rse']) ?? 0));
  return isRight && expressions.has('LOAD-SUB');
}

const namesOf = (rows: readonly Row[]) =>
  rows
    .map((row) => String(row['name']))
    .toSorted()
    .join(' ');

/** Changes of rules and replicas that tell intermediate states: how many there are depends on when they were followed. */
const volatileTypes = /^UPDATE_/;

/**
 * Whether an event tells of a copy that is wanted for a while: of a dataset that the container loses again, or of a file that
 * the dataset loses again, by a rule that is placed later. There is none if all of it is followed at once.
 */
function isPassing(unit: number, subject: string, rse: unknown): boolean {
  const file = Number(/:f\.\d+\.(\d+)$/.exec(subject)?.[1] ?? manyFiles);
  if (rse === 'LOAD-CNT' && unit % 3 === 0) return true;
  return (rse === 'LOAD-CNT' || rse === 'LOAD-SUB') && file < 3 * fewFiles;
}

/** The events of units since the beginning, in words that are the same on every server. */
export async function eventsOfUnits(session: Session): Promise<Map<number, Set<string>>> {
  const events = new Map<number, Set<string>>();
  const since = new Date(Date.now() - 3_600_000).toUTCString();
  const text = await send(session, 'GET', `/events?since=${encodeURIComponent(since)}&follow=false`);
  for (const line of text.split('\n')) {
    if (!line.startsWith('data: {')) continue;
    const { type, subject, data } = JSON.parse(line.slice(6)) as { type: string; subject: string; data: Row };
    const unit = /^(?:load:[DCf]\.|unit)(\d+)/.exec(subject)?.[1];
    if (unit === undefined || volatileTypes.test(type)) continue;
    if (isPassing(Number(unit), subject, data['rse'] ?? data['dst-rse'])) continue;
    const known = events.get(Number(unit)) ?? new Set();
    events.set(Number(unit), known);
    known.add([type, subject, ...['child_name', 'rse', 'dst-rse', 'rse_expression'].map((key) => data[key])].join(' '));
  }
  return events;
}
