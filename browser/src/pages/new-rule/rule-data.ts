import { ApiError, getJson, path } from '../../api/client.ts';
import type { Did } from '../../api/types.ts';
import { splitDid } from '../../format.ts';
import { linesOf } from '../../tasks/texts.ts';

/** DIDs that a form takes at most: each is looked up. */
export const maxDids = 100;
/** Lookups that wait at the same time. */
const parallel = 6;

/** What a rule is made for: a DID, or several that count together. */
export type RuleData = Did & { readonly parts?: readonly Did[] };

type DidName = Pick<Did, 'scope' | 'name'>;

/** DIDs that were looked up. */
export interface FoundData {
  /** Undefined if one of them does not exist. */
  readonly data: RuleData | undefined;
  readonly all: readonly (readonly [DidName, Did | undefined])[];
}

/** The DIDs of a text with one a line, each once; undefined if a line is none. */
export function readDids(text: string): readonly DidName[] | undefined {
  const dids = [...new Set(linesOf(text))].map((line) => splitDid(line));
  return dids.every((did) => did !== undefined) && dids.length > 0 ? dids : undefined;
}

/** Looks up what a rule is for. Throws as {@link getJson}, also for a single DID that does not exist. */
export async function findData(dids: readonly DidName[], signal: AbortSignal): Promise<FoundData> {
  const find = (did: DidName) => getJson(path('/dids/**:scope_name', { did }), { signal });
  const [first] = dids;
  if (first !== undefined && dids.length === 1) {
    const data = await find(first);
    return { data, all: [[first, data]] };
  }
  const found = new Map<DidName, Did>();
  const waiting = dids.slice(0, maxDids).values();
  const work = async () => {
    for (const did of waiting) {
      const one = await find(did).catch((error: unknown) => {
        if (error instanceof ApiError && error.status === 404) return undefined;
        throw error;
      });
      if (one !== undefined) found.set(did, one);
    }
  };
  await Promise.all(Array.from({ length: parallel }, work));
  const parts = dids.flatMap((did) => found.get(did) ?? []);
  return {
    data: parts.length === dids.length ? together(parts) : undefined,
    all: dids.map((did) => [did, found.get(did)]),
  };
}

/** Files of a DID. */
export function filesOf({ type, length }: Did): number {
  return type === 'FILE' ? 1 : Number(length);
}

function together(parts: readonly Did[]): RuleData | undefined {
  const [first] = parts;
  if (first === undefined) return undefined;
  const sum = (of: (part: Did) => number) => parts.reduce((total, part) => total + of(part), 0);
  return { ...first, type: 'CONTAINER', length: sum(filesOf), bytes: sum(({ bytes }) => Number(bytes)), parts };
}
