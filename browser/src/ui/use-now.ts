import { useEffect, useState } from 'preact/hooks';

const tickMs = 20_000;
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

/** Renders a component again as time passes, so that no relative time goes stale. */
export function useTicks(isTicking: boolean): void {
  const [, setTurn] = useState(0);
  useEffect(() => {
    if (!isTicking) return undefined;
    const tick = () => setTurn((turn) => turn + 1);
    listeners.add(tick);
    timer ??= setInterval(() => {
      for (const listener of listeners) listener();
    }, tickMs);
    return () => {
      listeners.delete(tick);
      if (listeners.size > 0) return;
      clearInterval(timer);
      timer = undefined;
    };
  }, [isTicking]);
}
