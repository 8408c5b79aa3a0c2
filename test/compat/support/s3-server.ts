/**
 * A real S3 server for the tests of signed URLs: versitygw, a gateway between S3 and a folder, which checks every
 * signature. Go builds it from its module, whose content the checksum database of Go vouches for. The variable S3_SERVER
 * names another build of it.
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { request as requestPlain } from 'node:http';
import { request as requestByTls } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { freePort } from '../../../local/engine/judge/free-port.ts';

const execute = promisify(execFile);

const gatewayModule = 'github.com/versity/versitygw/cmd/versitygw@v1.8.0';
const cache = fileURLToPath(new URL('../../../node_modules/.cache/versitygw', import.meta.url));

/** The server takes some seconds at most until it answers. */
const startAttempts = 100;
const startPauseMs = 100;

/** A running server with one bucket. */
export interface S3Server {
  readonly port: number;
  /** The folder of the bucket. */
  readonly folder: string;
  readonly bucket: string;
  /** Its credentials as Dapple's file holds them. */
  readonly credentials: { readonly access_key: string; readonly secret_key: string; readonly region: string };
  readonly stop: () => Promise<void>;
}

/**
 * Starts a server with an empty bucket on localhost, with a certificate of its own.
 *
 * @param options.isPlain Without TLS, and with metadata of objects.
 */
export async function startS3Server({ isPlain = false } = {}): Promise<S3Server> {
  const program = process.env['S3_SERVER'] || (await buildGateway());
  const folder = await mkdtemp(join(tmpdir(), 'dapple-s3-'));
  const [port, bucket] = [await freePort(), 'bucket'];
  await mkdir(join(folder, 'buckets', bucket), { recursive: true });
  if (isPlain) await mkdir(join(folder, 'metadata'));
  else await makeCertificate(folder);
  const credentials = { access_key: 'AKIDCOMPAT', secret_key: 'compat/secret+key', region: 'eu-test-1' };
  const flags = {
    port: `127.0.0.1:${port}`,
    access: credentials.access_key,
    secret: credentials.secret_key,
    region: credentials.region,
    ...(isPlain ? {} : { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') }),
  };
  const metadata = isPlain ? ['--sidecar', join(folder, 'metadata')] : ['--nometa'];
  const args = Object.entries(flags).flatMap(([name, value]) => [`--${name}`, value]);
  const server = spawn(program, [...args, '--quiet', 'posix', ...metadata, join(folder, 'buckets')], {
    stdio: 'ignore',
  });
  const ended = once(server, 'exit');
  await waitUntilUp(`${isPlain ? 'http' : 'https'}://localhost:${port}/`);
  const stop = async () => {
    server.kill();
    await ended;
    await rm(folder, { recursive: true, force: true });
  };
  return { port, folder: join(folder, 'buckets', bucket), bucket, credentials, stop };
}

async function buildGateway(): Promise<string> {
  const program = join(cache, 'versitygw');
  const isBuilt = await access(program).then(
    () => true,
    () => false,
  );
  if (isBuilt) return program;
  await runGo(['install', gatewayModule], { env: { ...process.env, GOBIN: cache } });
  return program;
}

/** Go brings a program that makes certificates for tests. */
async function makeCertificate(folder: string): Promise<void> {
  const { stdout } = await runGo(['env', 'GOROOT'], {});
  const program = join(stdout.trim(), 'src', 'crypto', 'tls', 'generate_cert.go');
  await runGo(['run', program, '--host', 'localhost,127.0.0.1', '--ecdsa-curve', 'P256'], { cwd: folder });
}

async function runGo(args: readonly string[], options: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv }) {
  try {
    return await execute('go', [...args], options);
  } catch (error) {
    const remedy = 'the S3 server of the tests is built by Go 1.24 or newer: install it (https://go.dev/dl)';
    throw new Error(`go ${args[0]} failed; ${remedy}`, { cause: error });
  }
}

async function waitUntilUp(url: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const status = await statusOf(url).catch(() => undefined);
    if (status !== undefined) return;
    if (attempt === startAttempts) throw new Error('the S3 server does not answer');
    await sleep(startPauseMs);
  }
}

/** The status of a GET; the certificate of the server is its own. */
export async function statusOf(url: string): Promise<number | undefined> {
  const sent = url.startsWith('https:')
    ? requestByTls(url, { rejectUnauthorized: false, family: 4 }).end()
    : requestPlain(url, { family: 4 }).end();
  const [answer] = (await once(sent, 'response')) as [{ statusCode?: number; resume: () => void }];
  answer.resume();
  return answer.statusCode;
}
