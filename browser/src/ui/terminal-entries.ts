import { createContext } from 'preact';
import { useContext, useEffect, useId, useState } from 'preact/hooks';

/** What a part of a page does, as commands for a terminal. */
export interface TerminalEntry {
  readonly label: string;
  readonly rucio: string | undefined;
  readonly curl: string;
}

/** The heading of the part of the page around a component. */
export const SectionHeading = createContext<string | undefined>(undefined);

const entries = new Map<string, TerminalEntry>();
const listeners = new Set<() => void>();

function tell(): void {
  for (const listener of listeners) listener();
}

/** Adds an entry to the menu of the page while the component is there; without a label it has that of its section. */
export function useTerminalEntry(label: string | undefined, rucio: string | undefined, curl: string): void {
  const id = useId();
  const heading = useContext(SectionHeading);
  const name = label ?? heading ?? 'This page';
  useEffect(() => {
    entries.set(id, { label: name, rucio, curl });
    tell();
    return () => {
      entries.delete(id);
      tell();
    };
  }, [id, name, rucio, curl]);
}

/** The entries of the present page, by an id of each. */
export function useTerminalEntries(): ReadonlyMap<string, TerminalEntry> {
  const [, setTurn] = useState(0);
  useEffect(() => {
    const render = () => setTurn((turn) => turn + 1);
    listeners.add(render);
    render();
    return () => {
      listeners.delete(render);
    };
  }, []);
  return entries;
}
