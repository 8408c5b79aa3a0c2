/** What the users of a soak do. Each returns an oddity that it met, which the soak counts against the server. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

import { pathOf } from '../../test/support/laptop.ts';
import { contentOf, type Dataset, describeFile, type Model, rses, smallRse, uploadRses } from './model.ts';
import { rowsOf, type User } from './user.ts';

/** Something that users do; returns what was wrong, if anything. */
type Act = (user: User, model: Model) => Promise<string | undefined>;

const maxFiles = 16;
let made = 0;

const any = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)] as T;

/** Writes files to an RSE and registers them, as `rucio upload` does. */
async function put(user: User, rse: string, names: readonly string[]) {
  const files = names.map(describeFile);
  const lfns = names.map((name) => `lfn=${user.scope}:${name}`).join('&');
  const pfns = JSON.parse(await user.must('GET', `/rses/${rse}/lfns2pfns?${lfns}&operation=write`)) as Record<
    string,
    string
  >;
  for (const name of names) {
    const path = pathOf(pfns[`${user.scope}:${name}`] ?? '');
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, contentOf(name));
  }
  await user.must('POST', '/replicas', { rse, files: files.map((file) => ({ scope: user.scope, ...file })) });
  return files;
}

async function addRule(user: User, dataset: Dataset, rse: string, model: Model): Promise<string | undefined> {
  const wish = {
    dids: [{ scope: dataset.scope, name: dataset.name }],
    account: user.account,
    copies: 1,
    rse_expression: rse,
  };
  const { status, text } = await user.send('POST', '/rules/', wish);
  // The reaper deletes what an ended rule has left there.
  if (status === 409 && dataset.thinned.has(rse) && text.includes('InsufficientTargetRSEs')) return undefined;
  if (status === 409 && rse === smallRse && text.includes('InsufficientAccountLimit')) {
    model.refused += 1;
    return undefined;
  }
  // The one before has ended, and is not removed yet.
  if (status === 409 && dataset.thinned.has(rse) && text.includes('DuplicateRule')) return undefined;
  if (status !== 201) return `a rule on ${rse}: ${status} ${text}`;
  dataset.rules.set((JSON.parse(text) as [string])[0], rse);
  return undefined;
}

const upload: Act = async (user, model) => {
  made += 1;
  const name = `run.${made}`;
  const names = Array.from({ length: 1 + Math.floor(Math.random() * maxFiles) }, (_none, at) => `${name}.${at}`);
  const dataset: Dataset = {
    scope: user.scope,
    name,
    files: [],
    rules: new Map(),
    thinned: new Set(),
    busy: true,
    ended: false,
  };
  const source = any(uploadRses);
  dataset.files.push(...(await put(user, source, names)));
  const dids = names.map((file) => ({ scope: user.scope, name: file }));
  await user.must('POST', `/dids/${user.scope}/${name}`, { type: 'DATASET', meta: { run_number: made }, dids });
  const fault = await addRule(user, dataset, source, model);
  model.datasets.push(dataset);
  dataset.busy = false;
  return fault;
};

/** Changes a dataset at which nobody else is; its owner does. */
const withDataset =
  (act: (user: User, dataset: Dataset, model: Model) => Promise<string | undefined>): Act =>
  async (user, model) => {
    const dataset = model.take(({ scope }) => scope === user.scope);
    if (dataset === undefined) return undefined;
    try {
      return await act(user, dataset, model);
    } finally {
      dataset.busy = false;
    }
  };

const copy = withDataset((user, dataset, model) => {
  const kept = new Set(dataset.rules.values());
  const other = rses.filter((rse) => !kept.has(rse));
  return other.length === 0 ? Promise.resolve(undefined) : addRule(user, dataset, any(other), model);
});

const grow = withDataset(async (user, dataset) => {
  const source = [...dataset.rules.values()][0];
  if (source === undefined) return undefined;
  made += 1;
  const files = await put(user, source, [`${dataset.name}.more.${made}`]);
  const dids = files.map(({ name }) => ({ scope: dataset.scope, name }));
  await user.must('POST', `/dids/${dataset.scope}/${dataset.name}/dids`, { dids });
  dataset.files.push(...files);
  return undefined;
});

/** Ends one of several rules: the others keep the files. */
const thin = withDataset(async (user, dataset) => {
  const [[rule, rse] = []] = dataset.rules;
  if (rule === undefined || rse === undefined || dataset.rules.size < 2) return undefined;
  await user.must('PUT', `/rules/${rule}`, { options: { lifetime: 1 } });
  dataset.rules.delete(rule);
  dataset.thinned.add(rse);
  return undefined;
});

const end = withDataset(async (user, dataset) => {
  for (const rule of dataset.rules.keys()) await user.must('PUT', `/rules/${rule}`, { options: { lifetime: 1 } });
  await user.must('POST', `/dids/${dataset.scope}/${dataset.name}/meta`, { meta: { lifetime: 1 } });
  dataset.ended = true;
  return undefined;
});

interface Replicas {
  readonly name: string;
  readonly rses: Readonly<Record<string, readonly string[]>>;
  readonly states: Readonly<Record<string, string>>;
}

/** Reads a file by the place that the catalogue names for it. */
const download: Act = async (user, model) => {
  const dataset = model.take();
  if (dataset === undefined) return undefined;
  try {
    const { name } = any(dataset.files);
    const body = { dids: [{ scope: dataset.scope, name }], all_states: true };
    const [found] = rowsOf<Replicas>(await user.must('POST', '/replicas/list', body));
    for (const rse of new Set(dataset.rules.values())) {
      if (found?.states[rse] !== 'AVAILABLE') continue;
      const content = await readFile(pathOf(found.rses[rse]?.[0] ?? '')).catch(() => undefined);
      if (content?.equals(contentOf(name)) !== true) return `${dataset.scope}:${name} on ${rse} is wrong or missing`;
    }
    return undefined;
  } finally {
    dataset.busy = false;
  }
};

/** Reads a dataset, which must be there with all its files, and something else. */
const look = withDataset(async (user, { scope, name, files }) => {
  const { text } = await user.send('GET', `/dids/${scope}/${name}/files`);
  if (rowsOf(text).length !== files.length) return `${scope}:${name} has other files: ${text.slice(0, 200)}`;
  const paths = [
    `/dids/${scope}/dids/search?type=dataset&run_number.gte=0&limit=100`,
    `/dids/${scope}/${name}/rules`,
    `/dids/${scope}/${name}/meta?plugin=ALL`,
    `/accounts/${user.account}/usage/local`,
    '/rses/?expression=DISK_A%7CDISK_B',
  ];
  const path = any(paths);
  const { status, text: answer } = await user.send('GET', path);
  return status === 200 ? undefined : `${path}: ${status} ${answer}`;
});

/** How often each act happens, of a hundred. Datasets end the more often the more there are. */
const shares: readonly (readonly [act: Act, share: number])[] = [
  [upload, 15],
  [download, 35],
  [look, 25],
  [copy, 12],
  [thin, 6],
  [grow, 7],
];

/** The next act of a user; `living` datasets are wanted. */
export function chooseAct(model: Model, living: number): Act {
  if (model.living.length > living && Math.random() < shares[0]![1] / 100 + 0.02) return end;
  let ticket = Math.random() * 100;
  return shares.find(([, share]) => (ticket -= share) < 0)?.[0] ?? look;
}
