/*
 * What programs share that work on a table beside the servers: recount, recover.
 */
import { requireData } from './data-folder.ts';
import { setEnvironment } from './environment.ts';
import { openEngine, type LocalEngine } from './open-engine.ts';

/** The engine of a data folder, unless the environment names a table elsewhere. */
export function openEngineOf(dataDir: string): LocalEngine | undefined {
  const endpoint = process.env['DYNAMODB_ENDPOINT'] || undefined;
  if (endpoint === undefined && process.env['TABLE_NAME'] !== undefined) return undefined;
  const tableName = process.env['TABLE_NAME'] || 'Dapple';
  if (endpoint !== undefined) {
    setEnvironment({ tableName, endpoint });
    return undefined;
  }
  requireData(dataDir);
  // Nobody logs in here: the key of tokens in the folder is left alone.
  setEnvironment({ tableName });
  return openEngine(dataDir);
}

/** The sentence for a failure; the table's own exception says more than the one that a client would be answered. */
export function explain(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  if (error.cause instanceof Error && error.cause.name === 'ResourceNotFoundException') {
    return `There is no table ${process.env['TABLE_NAME']} there. TABLE_NAME is the name of another one.`;
  }
  return error.message;
}
