import { useEffect, useState } from 'preact/hooks';

import { getPage, path } from './api/client.ts';
import { session } from './api/session.ts';
import type { Rule } from './api/types.ts';

/** The rules of the reader's account, as many as a request reads. */
export interface OwnRules {
  readonly account: string;
  readonly rules: readonly Rule[];
  /** There are more. */
  readonly isPart: boolean;
}

/** The most rules that are read. A reader with more sees those of one state in the list of rules. */
export const maxOwnRules = 500;

let known: OwnRules | undefined;
const listeners = new Set<() => void>();

/** Reads the rules of the reader, for everything that shows some of them. Throws as `getPage`. */
export async function readOwnRules(signal?: AbortSignal): Promise<OwnRules> {
  const account = session()?.account ?? '';
  const page = await getPage(path('/accounts/:account/rules', { account }), maxOwnRules, undefined, { signal });
  known = { account, rules: page.rows, isPart: page.next !== undefined };
  for (const listener of listeners) listener();
  return known;
}

/** The rules that were read last; undefined before. Reads nothing itself. */
function knownOwnRules(): OwnRules | undefined {
  return known?.account === session()?.account ? known : undefined;
}

/** The reader's rules whose ids begin so, as the page shows them: the interface finds a rule by its whole id alone. */
export async function findOwnRules(begin: string, signal?: AbortSignal): Promise<readonly Rule[]> {
  if (!/^[0-9a-f]{6,32}$/i.test(begin)) return [];
  const { rules } = knownOwnRules() ?? (await readOwnRules(signal));
  return rules.filter(({ id }) => id.startsWith(begin.toLowerCase()));
}

/** Notes a rule as it was just read: its state may be another one than in the list that was read last. */
export function noteRule({ id, state }: Rule): void {
  const rules = knownOwnRules()?.rules.map((rule) => (rule.id === id ? Object.assign({}, rule, { state }) : rule));
  if (known === undefined || rules === undefined) return;
  known = { ...known, rules };
  for (const listener of listeners) listener();
}

/** The interval at which rules are read again that were read once, while the page is looked at. */
const renewMs = 60_000;

/** How many of the reader's rules are stuck; renders again when they are read anew. 0 before they were read once. */
export function useStuckCount(): number {
  const [, setTurn] = useState(0);
  useEffect(() => {
    const renew = () => setTurn((turn) => turn + 1);
    listeners.add(renew);
    const timer = setInterval(() => {
      // A failure is told where the reader looks at rules.
      if (document.visibilityState === 'visible' && knownOwnRules()) readOwnRules().catch(() => undefined);
    }, renewMs);
    return () => {
      listeners.delete(renew);
      clearInterval(timer);
    };
  }, []);
  return knownOwnRules()?.rules.filter(({ state }) => state === 'STUCK').length ?? 0;
}
