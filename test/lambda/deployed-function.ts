import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';

import { buildBundles } from '../../bench/cold-start/bundles.ts';
import { projectRoot } from '../../infra/project-root.ts';
import { type EventOptions, gatewayEvent } from '../support/event.ts';
import { type Delivery, RuntimeApi } from './runtime-api.ts';

/** An answer of a function, as the gateway reads it. */
export interface GatewayAnswer extends Omit<Delivery, 'bytes'> {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Decompressed, as far as it goes. */
  readonly text: string;
  /** Bytes of the body as sent. */
  readonly bodyBytes: number;
}

/** A function under AWS's own runtime client, in a process of its own. */
export interface DeployedFunction {
  call(
    method: string,
    path: string,
    options?: EventOptions & { readonly remainingMs?: number },
  ): Promise<GatewayAnswer>;
  /** How often its process has ended by itself: on AWS each time is a `Runtime.ExitError`. */
  readonly exits: number;
  /** Stops the process between two events, as the platform does, and lets it go on after the work. */
  freeze(work: () => Promise<void>): Promise<void>;
  close(): Promise<void>;
}

/** The bundles of some functions, as they are deployed. */
export interface Bundles {
  /** Starts a function with its environment; an edit changes the text of its bundle. */
  start(
    name: string,
    env: Readonly<Record<string, string>>,
    edit?: readonly [from: string, to: string],
  ): Promise<DeployedFunction>;
  close(): Promise<void>;
}

const client = join(import.meta.dirname, 'client');

/** Installs AWS's client if it is missing, and bundles functions. */
export async function bundleFunctions(names: readonly string[]): Promise<Bundles> {
  const install = ['local/ensure-installed.mjs', '../test/lambda/client', '--ignore-scripts'];
  const { status, stderr } = spawnSync(process.execPath, install, { encoding: 'utf8', cwd: projectRoot });
  if (status !== 0) throw new Error(`AWS's runtime client could not be installed: ${stderr}`);
  const folder = await mkdtemp(join(tmpdir(), 'dapple-lambda-'));
  const bundles = await buildBundles(folder, names);
  return {
    start: async (name, env, edit) => {
      const bundle = bundles.find((one) => one.name === name);
      if (bundle === undefined) throw new Error(`${name} is not bundled`);
      if (edit !== undefined) await change(bundle.file, edit);
      return startFunction(dirname(bundle.file), env);
    },
    close: () => rm(folder, { recursive: true }),
  };
}

async function change(file: string, [from, to]: readonly [string, string]): Promise<void> {
  const text = await readFile(file, 'utf8');
  if (!text.includes(from)) throw new Error(`${file} has no ${from}`);
  await writeFile(file, text.replaceAll(from, to));
}

async function startFunction(folder: string, env: Readonly<Record<string, string>>): Promise<DeployedFunction> {
  const api = new RuntimeApi();
  const address = await api.listen();
  let exits = 0;
  let isClosing = false;
  const run = () => {
    const started = spawn(
      process.execPath,
      [
        '--import',
        join(import.meta.dirname, 'hook-native-client.ts'),
        join(client, 'node_modules/aws-lambda-ric/index.mjs'),
      ],
      {
        stdio: ['ignore', 'ignore', process.env['LAMBDA_STDERR'] === undefined ? 'ignore' : 'inherit'],
        env: {
          PATH: process.env['PATH'] ?? '',
          AWS_REGION: 'us-east-1',
          AWS_ACCESS_KEY_ID: 'test',
          AWS_SECRET_ACCESS_KEY: 'test',
          AWS_LAMBDA_RUNTIME_API: address,
          AWS_LAMBDA_FUNCTION_NAME: 'tested',
          AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
          AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '1024',
          AWS_LAMBDA_LOG_GROUP_NAME: 'log',
          AWS_LAMBDA_LOG_STREAM_NAME: 'stream',
          LAMBDA_TASK_ROOT: folder,
          _HANDLER: 'index.handler',
          ...env,
        },
      },
    );
    started.once('exit', () => {
      if (isClosing) return;
      exits += 1;
      child = run();
    });
    return started;
  };
  let child = run();
  return {
    get exits() {
      return exits;
    },
    call: async (method, path, { remainingMs = 60_000, ...options } = {}) =>
      readDelivery(await api.invoke(gatewayEvent(method, path, options), remainingMs)),
    freeze: async (work) => {
      while (!api.isIdle) await new Promise((resolve) => setTimeout(resolve, 5));
      child.kill('SIGSTOP');
      await work();
      child.kill('SIGCONT');
    },
    close: async () => {
      isClosing = true;
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
      api.close();
    },
  };
}

/** Reads an answer as the gateway does: status and headers, 8 NUL bytes, body; or a JSON document. */
function readDelivery({ bytes, ...delivery }: Delivery): GatewayAnswer {
  if (delivery.call === 'error')
    return { ...delivery, statusCode: 502, headers: {}, text: bytes.toString(), bodyBytes: 0 };
  if (!delivery.isStreamed) {
    const { body, ...head } = JSON.parse(bytes.toString()) as {
      statusCode: number;
      headers: Record<string, string>;
      body: string;
    };
    return { ...delivery, ...head, text: body, bodyBytes: Buffer.byteLength(body) };
  }
  const end = bytes.indexOf(Buffer.alloc(8));
  const head = JSON.parse(bytes.subarray(0, end).toString()) as { statusCode: number; headers: Record<string, string> };
  const body = bytes.subarray(end + 8);
  const isCompressed = head.headers['Content-Encoding'] === 'gzip' && body.length > 0;
  return { ...delivery, ...head, text: (isCompressed ? gunzipSync(body) : body).toString(), bodyBytes: body.length };
}
