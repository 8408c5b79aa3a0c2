import { getLines, path, postLines } from '../../api/client.ts';
import type { Did } from '../../api/types.ts';
import { useLoad } from '../../load.ts';
import type { RuleData } from './rule-data.ts';

/** Files of a DID on an RSE. */
export interface PresentFiles {
  readonly files: number;
  readonly bytes: number;
}

/** Files of so many are counted without being asked for: each costs a read. */
export const maxCountedFiles = 2_000;

/** Files of a DID on each RSE; undefined while it is loading, and for a DID with too many files. */
export function usePresentFiles(data: RuleData | undefined): ReadonlyMap<string, PresentFiles> | undefined {
  const parts = data === undefined || isTooLarge(data) ? [] : (data.parts ?? [data]);
  const key = `present ${JSON.stringify(parts.map(({ scope, name }) => [scope, name]))}`;
  return useLoad(key, async (signal) => {
    if (parts.length === 0) return undefined;
    return addUp(await Promise.all(parts.map((part) => countPresentFiles(part, signal))));
  }).value;
}

function addUp(all: readonly ReadonlyMap<string, PresentFiles>[]): ReadonlyMap<string, PresentFiles> {
  const sums = new Map<string, PresentFiles>();
  for (const [rse, { files, bytes }] of all.flatMap((one) => [...one])) {
    const before = sums.get(rse) ?? { files: 0, bytes: 0 };
    sums.set(rse, { files: before.files + files, bytes: before.bytes + bytes });
  }
  return sums;
}

/** Whether a DID has too many files to count them. */
export function isTooLarge({ type, length }: Did): boolean {
  return type !== 'FILE' && Number(length ?? 0) > maxCountedFiles;
}

async function countPresentFiles({ scope, name, type }: Did, signal: AbortSignal) {
  if (type === 'DATASET') {
    const target = path('/replicas/**:scope_name/datasets', { did: { scope, name } });
    const lines = await getLines(target, { query: { deep: true }, signal });
    return new Map(lines.map((line) => [line.rse, toPresent(line.available_length, line.available_bytes)]));
  }
  const body = { dids: [{ scope, name }], all_states: true };
  const replicas = await postLines('/replicas/list', { body, signal });
  const present = new Map<string, PresentFiles>();
  for (const { states, bytes } of replicas) {
    for (const [rse, state] of Object.entries(states)) {
      if (state !== 'AVAILABLE') continue;
      const before = present.get(rse) ?? { files: 0, bytes: 0 };
      present.set(rse, { files: before.files + 1, bytes: before.bytes + Number(bytes ?? 0) });
    }
  }
  return present;
}

const toPresent = (files: number | bigint, bytes: number | bigint): PresentFiles => ({
  files: Number(files),
  bytes: Number(bytes),
});
