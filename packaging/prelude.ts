import { enableCompileCache } from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Node 22 calls its SQLite an experiment, whose interface may change; the tests run with it. */
function silenceExperiments(): void {
  const warn = process.emitWarning.bind(process) as (...args: unknown[]) => void;
  process.emitWarning = (...args: unknown[]) => {
    if (args[1] !== 'ExperimentalWarning') warn(...args);
  };
}

/** Does what must happen before the modules of the program are loaded. */
export function begin(): void {
  silenceExperiments();
  enableCompileCache(join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'dapple'));
}
