/** Compares what a server and its folders have with what its users believe. */
import { pathOf } from '../../test/support/laptop.ts';
import { compareDataset, compareFolders, filesBelow } from './compare.ts';
import { contentOf, type Model, rses, type SoakFile } from './model.ts';
import { rowsOf, type User } from './user.ts';

/** The catalogue and the folders at the end of a soak. */
export interface Judged {
  readonly root: User;
  readonly model: Model;
  readonly folderOf: (rse: string) => string;
}

/** The datasets of a catalogue, as its users left them; a sentence for each difference. */
export async function judgeCatalogue({ root, model }: Pick<Judged, 'root' | 'model'>): Promise<string[]> {
  const faults: string[] = [];
  for (const dataset of model.datasets) {
    const { status, text } = await root.send('GET', `/dids/${dataset.scope}/${dataset.name}/files`);
    if (status === 200 || status === 404) {
      faults.push(...compareDataset(dataset, status === 200 ? rowsOf<SoakFile>(text) : undefined));
    } else faults.push(`${dataset.scope}:${dataset.name}: ${status} ${text}`);
  }
  return faults;
}

/** Each file at each RSE of its rules with its content, and nothing else in the folders. */
export async function judgeStorage({ root, model, folderOf }: Judged): Promise<string[]> {
  const faults: string[] = [];
  const wanted = new Map<string, Buffer>();
  for (const { scope, name: dataset, files, rules } of model.living) {
    const text = await root.must('POST', '/replicas/list', { dids: [{ scope, name: dataset }], all_states: true });
    const found = new Map(rowsOf<Replicas>(text).map((row) => [row.name, row]));
    for (const rse of new Set(rules.values())) {
      for (const { name } of files) {
        const replica = found.get(name);
        const pfn = replica?.rses[rse]?.[0];
        if (replica?.states[rse] !== 'AVAILABLE') faults.push(`${name} on ${rse} is ${replica?.states[rse]}`);
        if (pfn !== undefined) wanted.set(pathOf(pfn), contentOf(name));
      }
    }
  }
  return [...faults, ...compareFolders(wanted, rses.map(folderOf))];
}

interface Replicas {
  readonly name: string;
  readonly rses: Readonly<Record<string, readonly string[]>>;
  readonly states: Readonly<Record<string, string>>;
}

/** The usage of each user on each RSE is that of its rules. */
export async function judgeUsage({ root, model }: Pick<Judged, 'root' | 'model'>, accounts: readonly string[]) {
  const faults: string[] = [];
  for (const account of accounts) {
    const rows = rowsOf<{ rse: string; bytes: number }>(await root.must('GET', `/accounts/${account}/usage/local`));
    for (const rse of rses) {
      const bytes = rows.find((row) => row.rse === rse)?.bytes ?? 0;
      const wanted = model.usageOf(`user.${account}`, rse);
      if (bytes !== wanted) faults.push(`${account} uses ${wanted} bytes of ${rse}, and ${bytes} are counted`);
    }
  }
  return faults;
}

/** How much still goes on: rules that are not OK, datasets that should be gone, and files that nothing keeps. */
export async function countUnsettled({ root, model, folderOf }: Judged): Promise<number> {
  let count = 0;
  for (const { rules } of model.living) {
    for (const rule of rules.keys()) {
      const { status, text } = await root.send('GET', `/rules/${rule}`);
      const { state } = status === 200 ? (JSON.parse(text) as { state: string }) : {};
      if (state !== 'OK') count += 1;
      // The quota was used up when its dataset grew. It would be tried again after half an hour.
      if (state === 'STUCK') await root.send('PUT', `/rules/${rule}`, { options: { boost_rule: true } });
    }
  }
  for (const { scope, name } of model.datasets.filter(({ ended }) => ended)) {
    if ((await root.send('GET', `/dids/${scope}/${name}`)).status !== 404) count += 1;
  }
  const there = rses.reduce((sum, rse) => sum + filesBelow(folderOf(rse)).length, 0);
  return count + Math.abs(there - copiesOf(model));
}

/** Copies that the rules keep. */
export function copiesOf(model: Model): number {
  return model.living.reduce((sum, { files, rules }) => sum + files.length * new Set(rules.values()).size, 0);
}
