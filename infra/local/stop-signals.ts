import { execFileSync } from 'node:child_process';

/** Two signals closer than this are one Ctrl-C: the terminal sends it to npm and to us, and npm passes it on. */
const oneKeyPress = 500;
const watchMilliseconds = 500;

/**
 * Calls `stop` once, at the first signal or when the npm that started us is gone; a second signal ends the process at once.
 */
export function onStop(stop: (reason: string) => void): void {
  let first: number | undefined;
  const handle = (reason: string): void => {
    if (first === undefined) {
      first = performance.now();
      stop(reason);
    } else if (performance.now() - first > oneKeyPress) process.exit(1);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, handle);
  if (process.env['npm_lifecycle_event'] === undefined) return;
  // npm hands a SIGTERM to the shell between it and us, which dies of it and says nothing; SIGKILL nobody passes on.
  const isOrphan = watchAncestors();
  const watch = setInterval(() => {
    if (!isOrphan()) return;
    clearInterval(watch);
    handle('npm has ended');
  }, watchMilliseconds).unref();
}

/** Says whether our parent, or the npm above the parent when that is a shell, has gone. */
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
