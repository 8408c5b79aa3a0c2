/** The results of the clients and tools of this folder: recorded in test/compat/results, shown in docs/compatibility.md. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/** How many commands or calls of a client or tool work. */
export interface Count {
  /** Package and version. */
  readonly name: string;
  /** How it was called, where there are several ways. */
  readonly way?: string;
  readonly works: number;
  readonly tried: number;
  readonly fails: readonly string[];
  /** Expectations that Rucio fails as well, and the reason. */
  readonly differs: readonly string[];
  /** The day on which this came out first. */
  readonly date: string;
}

/** The results of a test file. */
export interface Counts {
  /** The commands or calls that each is tried with, where they are the same for all. */
  readonly commands?: readonly string[];
  readonly counts: readonly Count[];
}

/** The recorded results of the versions of the client, or of the tools. */
export async function readCounts(part: 'versions' | 'tools'): Promise<Counts> {
  return JSON.parse(await readFile(countsPath(part), 'utf8')) as Counts;
}

/** The path of the recorded results. */
export function countsPath(part: 'versions' | 'tools'): string {
  return fileURLToPath(new URL(`../results/${part}.json`, import.meta.url));
}

/** The text of such a file. A result that is the recorded one keeps its date. */
export async function formatCounts(part: 'versions' | 'tools', found: Counts): Promise<string> {
  const recorded = await readCounts(part).catch(() => undefined);
  const counts = found.counts.map((count) => {
    const isSame = (former: Count) =>
      JSON.stringify({ ...former, date: '' }) === JSON.stringify({ ...count, date: '' });
    return recorded?.counts.find(isSame) ?? count;
  });
  return `${JSON.stringify({ ...found, counts }, null, 2)}\n`;
}

/** Result of a command or a call. */
export interface Tried {
  readonly name: string;
  /** Why it failed. */
  readonly failure: string | null;
  readonly differs?: string | null;
}

/** Counts what works. */
export function countTried(name: string, way: string | undefined, tried: readonly Tried[]): Count {
  const fails = tried.flatMap((one) => (one.failure === null ? [] : one.name));
  return {
    name,
    ...(way === undefined ? {} : { way }),
    works: tried.length - fails.length,
    tried: tried.length,
    fails,
    differs: tried.flatMap((one) => (one.differs ? `${one.name}: ${one.differs}` : [])),
    date: new Date().toISOString().slice(0, 10),
  };
}

/** Which failed, and why: for an assertion. */
export function failuresOf(tried: readonly Tried[]): string[] {
  return tried.flatMap(({ name, failure }) => (failure === null ? [] : `${name}: ${failure}`));
}
