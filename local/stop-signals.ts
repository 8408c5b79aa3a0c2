import { execFileSync } from 'node:child_process';

/** Two signals within this time are one Ctrl-C: the terminal sends it to npm and to us, and npm passes it on. */
const keyPressMs = 500;
const watchIntervalMs = 500;

/** Calls `stop` once, at the first signal or when the parent npm has died. A second signal ends the process at once. */
export function onStop(stop: (reason: string) => void): void {
  let first: number | undefined;
  const handle = (reason: string): void => {
    if (first === undefined) {
      first = performance.now();
      stop(reason);
    } else if (performance.now() - first > keyPressMs) process.exit(1);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, handle);
  if (process.env['npm_lifecycle_event'] === undefined) return;
  // npm sends a SIGTERM to the shell between it and us, which dies without passing it on. A SIGKILL is never passed on.
  const isOrphan = watchAncestors();
  const watch = setInterval(() => {
    if (!isOrphan()) return;
    clearInterval(watch);
    handle('npm has ended');
  }, watchIntervalMs).unref();
}

/** Returns a check whether our parent has died, or the npm above it if the parent is a shell. */
function watchAncestors(): () => boolean {
  const parent = process.ppid;
  const npm = parentOfShell(parent);
  return () => process.ppid !== parent || (npm !== undefined && !isAlive(npm));
}

function parentOfShell(pid: number): number | undefined {
  try {
    const line = execFileSync('ps', ['-o', 'ppid=,args=', '-p', String(pid)], { encoding: 'utf8' }).trim();
    const [, parent] = /^(\d+)\s+\S*sh -c /.exec(line) ?? [];
    return parent === undefined ? undefined : Number(parent);
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
