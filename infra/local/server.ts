import type { RequestListener } from 'node:http';

import type { Group } from '../../lib/contract/route.ts';
import { freePort, startEngine, type Engine } from './dynamodb.ts';
import { setEnvironment } from './environment.ts';
import { findJava } from './java.ts';
import { defineLambdaRuntime, sendJson, type Handler } from './lambda-runtime.ts';
import { listen } from './listen.ts';
import type { RootAccount } from './prepare-data.ts';

/** How to run Dapple on this machine. */
export interface ServerOptions {
  /** 0 for any free port. */
  readonly port: number;
  /** Forget everything at the end; the default without `dataDir`. */
  readonly inMemory?: boolean;
  /** Folder that keeps data and token key between starts. */
  readonly dataDir?: string;
  /** The engine will have much to do. */
  readonly busy?: boolean;
  /** Another engine's URL; then no Java is needed. */
  readonly endpoint?: string | undefined;
  readonly tableName?: string | undefined;
  readonly root?: RootAccount;
  /** Told what happens, line by line. */
  readonly say?: (line: string) => void;
  readonly groups?: readonly Group[];
  readonly load?: (group: Group) => Promise<Handler>;
}

/** A running server. */
export interface LocalServer {
  readonly url: string;
  /** URL of the engine that holds the table. */
  readonly endpoint: string;
  /** Resolves with the engine's last words if it ends before `close`. */
  readonly engineEnded: Promise<string>;
  /** Lets open requests finish for two seconds, then ends the server and its engine. May be called again. */
  close(): Promise<void>;
}

/**
 * Starts the whole of Dapple in this process: HTTP server, embedded DynamoDB, table and first account.
 *
 * The functions' modules are imported once per process, with the environment of the first start.
 *
 * @throws Error with a remedy when the port or the data folder is taken or Java is missing; nothing is left running.
 */
export async function startServer(options: ServerOptions): Promise<LocalServer> {
  const { say = () => {}, tableName = 'Dapple', root = { username: 'ddmlab', password: 'secret' } } = options;
  let answer: RequestListener = (_request, response) =>
    sendJson(response, 503, { message: 'Dapple is starting' }, { 'Retry-After': 1 });
  // The port first: if it is taken, that shows at once and no engine has to be stopped again.
  const listener = await listen(options.port, (request, response) => answer(request, response));
  let engine: Engine | undefined;
  let stopChores = async (): Promise<void> => {};
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    await Promise.all([stopChores(), listener.close()]);
    await engine?.stop();
  };
  try {
    const kept = options.inMemory === true || options.dataDir === undefined ? {} : { dataDir: options.dataDir };
    const enginePort = options.endpoint === undefined ? await freePort() : undefined;
    const endpoint = options.endpoint ?? `http://127.0.0.1:${enginePort}`;
    setEnvironment({ tableName, endpoint, ...kept });
    defineLambdaRuntime();
    const starting =
      enginePort === undefined
        ? undefined
        : startLocalEngine(enginePort, { ...kept, busy: options.busy === true }, say);
    // Imported while the engine starts: that takes Java and Node about a second each.
    const imports = Promise.all([import('./prepare-data.ts'), openGateway(options, say)]);
    imports.catch(() => {});
    engine = await starting;
    const [{ prepareData }, gateway] = await imports;
    stopChores = await prepareData({ tableName, endpoint, root, alone: engine !== undefined, ...kept }, say);
    answer = gateway;
    const engineEnded = engine?.ended ?? new Promise<string>(() => {});
    return { url: `http://localhost:${listener.port}`, endpoint, engineEnded, close: () => (closing ??= close()) };
  } catch (error) {
    await close();
    throw error;
  }
}

async function startLocalEngine(
  port: number,
  kept: { dataDir?: string; busy: boolean },
  say: (line: string) => void,
): Promise<Engine> {
  const java = await findJava();
  const where = kept.dataDir === undefined ? 'in memory' : `with its data in ${kept.dataDir}`;
  say(`Java ${java.version} found, starting DynamoDB Local ${where}`);
  const begin = performance.now();
  const engine = await startEngine({ port, java: java.command, ...kept });
  say(`DynamoDB Local answers on port ${port} (${Math.round(performance.now() - begin)} ms)`);
  return engine;
}

async function openGateway(options: ServerOptions, say: (line: string) => void): Promise<RequestListener> {
  const { loadGateway } = await import('./load-gateway.ts');
  return loadGateway(options, say);
}
