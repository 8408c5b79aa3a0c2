import { parseNamed } from '../../../lib/json-names.ts';

/** A log-in: the token of an account, and when it ends. */
export interface Session {
  readonly account: string;
  readonly token: string;
  /** Milliseconds since 1970. */
  readonly expires: number;
}

const storageKey = 'dapple-session';
const channel = new BroadcastChannel('dapple-session');
const answerTimeoutMs = 60;

let current = readStored();
const listeners = new Set<() => void>();

/** The present log-in; undefined without one. It may have expired. */
export function session(): Session | undefined {
  return current;
}

/** Calls `listener` after each log-in and log-out; returns the function that ends this. */
export function onSession(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Begins a session, in all tabs of this page. */
export function beginSession(begun: Session): void {
  keep(begun);
  channel.postMessage({ kind: 'begun', session: begun });
}

/** Ends the session, in all tabs of this page. */
export function endSession(): void {
  keep(undefined);
  channel.postMessage({ kind: 'ended' });
}

/** Takes over the session of another tab, if there is one: the storage of a session belongs to one tab. */
export async function adoptSession(): Promise<void> {
  if (current !== undefined) return;
  channel.postMessage({ kind: 'asked' });
  await new Promise<void>((resolve) => {
    const end = onSession(() => resolve());
    setTimeout(() => {
      end();
      resolve();
    }, answerTimeoutMs);
  });
}

channel.addEventListener('message', ({ data }: MessageEvent<{ kind: string; session?: Session }>) => {
  if (data.kind === 'asked' && current !== undefined) channel.postMessage({ kind: 'begun', session: current });
  if (data.kind === 'begun' && data.session?.token !== current?.token) keep(data.session);
  if (data.kind === 'ended') keep(undefined);
});

function keep(next: Session | undefined): void {
  current = next;
  if (next === undefined) sessionStorage.removeItem(storageKey);
  else sessionStorage.setItem(storageKey, JSON.stringify(next));
  for (const listener of listeners) listener();
}

function readStored(): Session | undefined {
  try {
    const stored = parseNamed(sessionStorage.getItem(storageKey) ?? 'null') as Session | null;
    return stored !== null && stored.expires > Date.now() ? stored : undefined;
  } catch {
    return undefined;
  }
}
