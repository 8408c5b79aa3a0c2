import { fileURLToPath } from 'node:url';

import type { Profile } from './profiler.ts';

/** Shares of the time in which a process was not idle, by part or by function. */
export type Shares = ReadonlyMap<string, number>;

const root = new URL('../../', import.meta.url).href;
/** Folders deeper than this count for the folder above. */
const maxFolderDepth = 3;
const idle = '(idle)';
/** Names that V8 reports for times in which no JavaScript ran. */
const states: Readonly<Record<string, string>> = {
  '(garbage collector)': 'garbage collection',
  '(program)': 'native code, system calls',
  '(root)': 'native code, system calls',
};

/** The shares of our folders, of packages, of Node's modules and of what is no JavaScript; the largest first. */
export function sharesOfParts(profile: Profile): Shares {
  const parents = new Map(
    profile.nodes.flatMap((node) => (node.children ?? []).map((child) => [child, node] as const)),
  );
  return sharesBy(profile, ({ id, callFrame }) => {
    const { functionName, url } = callFrame;
    if (url !== '') return partOf(url);
    const state = states[functionName];
    if (state !== undefined) return state;
    let caller = parents.get(id);
    while (caller?.callFrame.url === '') caller = parents.get(caller.id);
    return caller === undefined ? 'native functions' : `native, called by ${partOf(caller.callFrame.url)}`;
  });
}

/** The shares of single functions, without what they call; the largest first. */
export function sharesOfFunctions(profile: Profile): Shares {
  return sharesBy(
    profile,
    ({ callFrame: { functionName, url, lineNumber } }) =>
      `${functionName || '(anonymous)'} ${url === '' ? '' : `${shorten(url)}:${lineNumber + 1}`}`,
  );
}

type Node = Profile['nodes'][number];

function sharesBy({ nodes, samples, timeDeltas }: Profile, nameOf: (node: Node) => string): Shares {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const times = new Map<string, number>();
  let total = 0;
  for (const [index, id] of samples.entries()) {
    const node = byId.get(id);
    // The time of the last sample is not known: the next one says how long it lasted.
    const time = timeDeltas[index + 1] ?? 0;
    if (node === undefined || node.callFrame.functionName === idle) continue;
    const name = nameOf(node);
    times.set(name, (times.get(name) ?? 0) + time);
    total += time;
  }
  const sorted = [...times].sort(([, one], [, other]) => other - one);
  return new Map(sorted.map(([name, time]) => [name, time / total]));
}

/** The part of the process that a module belongs to. */
function partOf(url: string): string {
  if (url.startsWith('node:')) return `Node: ${/^node:(?:internal\/)?_?([a-z0-9]+)/.exec(url)?.[1] ?? 'others'}`;
  const path = shorten(url);
  const inPackage = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1];
  return inPackage ?? path.split('/').slice(0, -1).slice(0, maxFolderDepth).join('/');
}

/** A file's path in the project. */
function shorten(url: string): string {
  const file = url.replace(/\?.*$/, '');
  return file.startsWith(root) ? file.slice(root.length) : file.startsWith('file:') ? fileURLToPath(file) : file;
}
