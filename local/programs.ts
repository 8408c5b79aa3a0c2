/** Shared by the programs that work on a table without a server: recount, recover. */
import { requireData } from './data-folder.ts';
import { setEnvironment } from './environment.ts';
import { openEngine, type LocalEngine } from './open-engine.ts';

/** The engine of a data folder, unless the environment names an external table. */
export function openEngineOf(dataDir: string): LocalEngine | undefined {
  const endpoint = process.env['DYNAMODB_ENDPOINT'] || undefined;
  if (endpoint === undefined && process.env['TABLE_NAME'] !== undefined) return undefined;
  const tableName = process.env['TABLE_NAME'] || 'Dapple';
  if (endpoint !== undefined) {
    setEnvironment({ tableName, endpoint });
    return undefined;
  }
  requireData(dataDir);
  // These programs issue no tokens, so the token key in the folder stays unchanged.
  setEnvironment({ tableName });
  return openEngine(dataDir);
}

/** The message of a failure; the table's own exception says more than the one that callers get. */
export function describeFailure(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  if (error.cause instanceof Error && error.cause.name === 'ResourceNotFoundException') {
    return `There is no table ${process.env['TABLE_NAME']} there. TABLE_NAME is the name of another one.`;
  }
  return error.message;
}
