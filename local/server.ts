import type { RequestListener } from 'node:http';

import { clock } from '../lib/clock.ts';
import type { Group } from '../lib/contract/route.ts';
import { sendJson } from './answer-sink.ts';
import { listen, type Listener } from './engine/src/listen.ts';
import { type LocalLogin, setEnvironment } from './environment.ts';
import { isForOthers, openFront } from './front.ts';
import { defineLambdaRuntime, type Handler } from './lambda-runtime.ts';
import type { GatewayParts } from './load-gateway.ts';
import type { LocalEngine } from './open-engine.ts';
import type { Settings } from './options.ts';
import type { RootAccount } from './prepare-data.ts';
import { openResettable } from './test-reset.ts';
import type { Threads } from './threads/open-threads.ts';
import { Traffic } from './traffic.ts';
import type { Space } from './watch/disk-space.ts';
import type { Watch } from './watch/open-watch.ts';

/**
 * Settings of a local server: those of the command line, and those that only programs set. Absent, unlike on
 * the command line: data in memory, no movers, no threads.
 */
export interface ServerOptions extends Pick<Settings, 'port'>, Partial<Omit<Settings, 'port'>> {
  /** URL of an external engine instead of the embedded one. */
  readonly endpoint?: string | undefined;
  readonly tableName?: string | undefined;
  readonly root?: RootAccount;
  /** The log-in that the page for browsers may fill in. */
  readonly login?: LocalLogin;
  /** Receives progress messages, line by line. */
  readonly say?: (line: string) => void;
  /** Measures the disk of a folder; by default the system does. */
  readonly measureDisk?: (folder: string) => Space;
  readonly groups?: readonly Group[];
  readonly load?: (group: string) => Promise<Handler>;
}

/** The server for which jobs run. */
interface JobHost {
  readonly tableName: string;
  readonly engine: LocalEngine;
  readonly served: RequestListener;
  readonly watch: Watch;
  readonly say: (line: string) => void;
}

/** A running server. */
export interface LocalServer {
  readonly url: string;
  /** The engine that holds the table. */
  readonly engine: LocalEngine;
  /** URL of the DynamoDB endpoint, if one was requested. */
  readonly dynamodbUrl?: string;
  /** Gives open requests two seconds to finish, then stops the server and its engine. Idempotent. */
  close(): Promise<void>;
}

/**
 * Starts all of Dapple in this process: HTTP server, embedded engine, table and first account.
 *
 * The functions' modules are imported once per process, with the environment of the first start.
 *
 * @throws Error with a remedy if a port or the data folder is in use; nothing keeps running.
 */
export async function startServer(options: ServerOptions): Promise<LocalServer> {
  const { say = () => {}, tableName = 'Dapple', root = { username: 'ddmlab', password: 'secret' } } = options;
  let answer: RequestListener = (_request, response) =>
    sendJson(response, 503, { message: 'Dapple is starting' }, { 'Retry-After': 1 });
  const traffic = new Traffic();
  const { jobs: plans = [] } = options;
  if (plans.length > 0) {
    const { requireNeeds } = await import('./jobs/require-needs.ts');
    requireNeeds(plans, options);
  }
  // Opens the port first: if it is in use, that shows at once and no engine has to be stopped again.
  const front = await openFront(options, say);
  const listener = await listen(
    options.port,
    front.harden((...sent) => answer(...sent)),
    front.port,
  );
  const toClose: (() => Promise<void> | void)[] = [() => listener.close(), front.keep(listener)];
  let closing: Promise<void> | undefined;
  const close = () => (closing ??= closeAll(toClose));
  try {
    const kept = options.inMemory === true || options.dataDir === undefined ? {} : { dataDir: options.dataDir };
    setEnvironment({ tableName, endpoint: options.endpoint, login: options.login, policy: options.policy, ...kept });
    defineLambdaRuntime();
    const { connectEngine, openEngine } = await import('./open-engine.ts');
    const url = front.urlOf(listener.port);
    const engine = options.endpoint === undefined ? openEngine(kept.dataDir, url) : connectEngine(options.endpoint);
    let threads: Threads | undefined;
    toClose.push(async () => {
      await threads?.pool.close();
      engine.close();
    });
    await useEngine(engine);
    const [{ openWatch }, { knowFolder }] = await Promise.all([
      import('./watch/open-watch.ts'),
      import('./watch/know-folder.ts'),
    ]);
    const watch = openWatch({ tableName, engine, dataDir: kept.dataDir, options, front, say });
    toClose.unshift(watch.stop);
    if (engine.path !== undefined) toClose.unshift(knowFolder(engine.path, watch.diskProblem));
    threads = await openThreads(engine, options.threads ?? 0);
    const [{ prepareData }, gateway] = await Promise.all([
      import('./prepare-data.ts'),
      openGateway({ ...options, callerOf: front.callerOf, refuse: watch.refuse }, say, threads?.spread),
    ]);
    const alone = options.endpoint === undefined;
    const prepare = async () =>
      prepareData(
        {
          tableName,
          engine,
          root,
          alone,
          // Absent: no movers, also none between storages on the network.
          storage: options.tasks === false ? undefined : options.storage,
          waitForRequests: (ms) => traffic.waitForRequests(ms),
          isReaping: options.isReaping === true,
          tasks: options.tasks !== false,
          ...kept,
          ...(threads === undefined ? {} : { react: threads.react }),
        },
        say,
      );
    const served: RequestListener = (request, response) => {
      traffic.count(response);
      gateway(request, response);
    };
    const serve = watch.beside(served);
    const resettable = options.testReset === true ? await openResettable({ engine, traffic, prepare }) : undefined;
    toClose.unshift(resettable?.stop ?? (await prepare()));
    // Root is there, and nothing is served yet.
    if (isForOthers(options)) {
      const { requireOwnPassword } = await import('./beyond-loopback.ts');
      await requireOwnPassword(engine, tableName);
    }
    const endpoint =
      options.dynamodbPort === undefined ? undefined : await serveTable(engine, options.dynamodbPort, options.hosts);
    if (endpoint !== undefined) toClose.unshift(() => endpoint.close());
    toClose.unshift(await watch.open(), await startJobs(options, { tableName, engine, served, watch, say }));
    answer = resettable?.guard(serve) ?? serve;
    return {
      url,
      engine,
      ...(endpoint === undefined ? {} : { dynamodbUrl: `http://localhost:${endpoint.port}` }),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Closes the engine after everything that uses it. */
async function closeAll(parts: readonly (() => Promise<void> | void)[]): Promise<void> {
  await Promise.all(parts.slice(0, -1).map(async (part) => part()));
  await parts.at(-1)?.();
}

/** Connects the functions' clients to the engine. */
async function useEngine({ client }: LocalEngine): Promise<void> {
  const { setClientDefaults } = await import('../lib/store/items/client.ts');
  setClientDefaults(client);
}

async function serveTable({ transport }: LocalEngine, port: number, hosts?: readonly string[]): Promise<Listener> {
  const { serveEngine } = await import('./engine/src/endpoint.ts');
  const { timeHeader } = await import('../lib/store/items/server-time.ts');
  // For processes on a machine whose clock was set back.
  return serveEngine(transport, port, { headers: () => ({ [timeHeader]: clock.now() }), hosts });
}

/** Starts the jobs, if there are any; returns how to stop them. */
async function startJobs(
  { jobs: plans = [], inMemory, dataDir, mailTo, webhook, sendmail }: ServerOptions,
  { tableName, engine, served, watch, say }: JobHost,
): Promise<() => Promise<void>> {
  if (dataDir === undefined || inMemory === true) return async () => {};
  const { forgetOtherJobs } = await import('./jobs/job-state.ts');
  forgetOtherJobs(
    dataDir,
    plans.map(({ name }) => name),
  );
  if (plans.length === 0) return async () => {};
  const [{ openJobs }, { openStore }] = await Promise.all([
    import('./jobs/open-jobs.ts'),
    import('../lib/store/open-store.ts'),
  ]);
  const store = openStore({ tableName, ...engine.client });
  const recipients = { mailTo, sendmail, webhook };
  const jobs = openJobs({ plans, dataDir, recipients, store, served, say });
  watch.addJobs(jobs);
  jobs.start();
  return async () => jobs.stop();
}

async function openGateway(
  options: GatewayParts,
  say: (line: string) => void,
  spread: Threads['spread'] | undefined,
): Promise<RequestListener> {
  const { loadGateway } = await import('./load-gateway.ts');
  return loadGateway({ ...options, ...(spread === undefined ? {} : { spread }) }, say);
}

/** Opens the threads beside this one; undefined where only this thread can read. */
async function openThreads(engine: LocalEngine, count: number): Promise<Threads | undefined> {
  if (engine.path === undefined || count === 0) return undefined;
  const parallel = await import('./threads/open-threads.ts');
  return parallel.openThreads(engine.path, engine.transport, count);
}
