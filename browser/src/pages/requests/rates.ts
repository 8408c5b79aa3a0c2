import { useEffect, useRef, useState } from 'preact/hooks';

import type { RequestLine } from '../../api/types.ts';

/** Totals are read again after this time, while the page is looked at. */
export const rereadMs = 20_000;

/** The transfers of a list that ended since the page was opened. */
export interface Progress {
  /** Bytes a second; undefined before the second look. */
  readonly rate: number | undefined;
  readonly ended: number;
}

interface Ended {
  readonly bytes: number;
  readonly row: RequestLine;
}

const idOf = ({ scope, name, dest_rse: to }: RequestLine) => `${scope}:${name} ${to}`;

/**
 * Measures transfers by looking twice: what is no longer under way has ended. Only complete lists can be compared. The catalogue
 * keeps no speed itself.
 */
export function useProgress(rows: readonly RequestLine[] | undefined, reload: () => void, key: string) {
  const since = useRef(Date.now());
  const before = useRef(new Map<string, RequestLine>());
  const [ended, setEnded] = useState<readonly Ended[]>([]);
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    since.current = Date.now();
    before.current = new Map();
    setEnded([]);
    setSeconds(0);
  }, [key]);
  useEffect(() => {
    if (rows === undefined) return;
    const present = new Map(rows.map((row) => [idOf(row), row]));
    const gone = [...before.current].filter(([id]) => !present.has(id)).map(([, row]) => row);
    if (before.current.size > 0) setSeconds((Date.now() - since.current) / 1000);
    before.current = present;
    if (gone.length > 0) setEnded((so) => [...so, ...gone.map((row) => ({ row, bytes: Number(row.bytes ?? 0) }))]);
  }, [rows]);
  useEffect(() => {
    const look = () => {
      if (document.visibilityState === 'visible') reload();
    };
    const timer = setInterval(look, rereadMs);
    document.addEventListener('visibilitychange', look);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', look);
    };
  }, [key]);
  return (belongs: (row: RequestLine) => boolean): Progress => {
    const own = ended.filter(({ row }) => belongs(row));
    const bytes = own.reduce((sum, one) => sum + one.bytes, 0);
    return { ended: own.length, rate: seconds === 0 ? undefined : bytes / seconds };
  };
}

/** The seconds that bytes take at a rate; undefined where nothing moves. */
export function secondsLeft(bytes: number, { rate }: Progress): number | undefined {
  return rate === undefined || rate === 0 ? undefined : bytes / rate;
}
