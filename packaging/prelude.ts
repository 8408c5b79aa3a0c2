import { enableCompileCache } from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';

/* What must happen before the modules of the program are loaded. */

/** Node 22 calls its SQLite an experiment, whose interface may change; the tests run with it. */
function silenceExperiments(): void {
  const warn = process.emitWarning.bind(process) as (...args: unknown[]) => void;
  process.emitWarning = (...args: unknown[]) => {
    if (args[1] !== 'ExperimentalWarning') warn(...args);
  };
}

silenceExperiments();
enableCompileCache(join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'dapple'));
