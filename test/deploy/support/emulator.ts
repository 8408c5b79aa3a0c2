import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, open, readFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { freePort } from '../../../local/engine/judge/free-port.ts';
import { makeVenv } from '../../support/python-venv.ts';
import { account, type Aws, openAws, region } from './aws.ts';

/** A running MiniStack. */
export interface Emulator {
  readonly aws: Aws;
  /** The URL of its only REST API, as with a custom domain. */
  readonly apiUrl: string;
  /** Its URL below a stage, as on a domain of API Gateway. Browsers resolve the name, other programs may not. */
  stageUrl(stage: string): string;
  /** The resources that it accepted but did not create at their first deployment, as `type logical-id`. */
  noted(): Promise<string[]>;
  /** Freezes the emulator with all functions in the middle of their work. */
  freeze(): void;
  /** Resumes them. */
  thaw(): void;
  stop(): Promise<void>;
}

const folder = fileURLToPath(new URL('../emulator', import.meta.url));
const startTimeoutMs = 60_000;

/** Makes the virtual environment of MiniStack; answers its folder of programs. */
export function installEmulator(): Promise<string> {
  return makeVenv({
    name: 'ministack-venv',
    holds: 'MiniStack',
    requirements: join(folder, 'requirements.txt'),
  });
}

/**
 * Starts MiniStack with patches of its defects, on two free ports of the loopback interface.
 *
 * @param programs Folder of the virtual environment's programs.
 * @param endpoint The engine that the tables are made in and that the functions use.
 * @param scratch Folder for its state and its log.
 * @throws Error with its last output if it does not answer; nothing is left running.
 */
export async function startEmulator({
  programs,
  endpoint,
  scratch,
}: {
  programs: string;
  endpoint: string;
  scratch: string;
}): Promise<Emulator> {
  const [awsPort, apiPort] = [await freePort(), await freePort()];
  const url = `http://127.0.0.1:${awsPort}`;
  for (const name of ['state', 'tmp', 'compile-cache']) await mkdir(join(scratch, name));
  const logPath = join(scratch, 'emulator.log');
  const log = await open(logPath, 'w');
  const python = join(programs, 'python');
  const child = spawn(python, ['-u', join(folder, 'launch.py'), String(awsPort), String(apiPort)], {
    cwd: scratch,
    stdio: ['ignore', log.fd, log.fd],
    // A process group of its own that contains the functions, so that they are frozen together.
    detached: true,
    env: {
      // The first `node` of this path runs the functions, with the environment of the emulator.
      PATH: [dirname(process.execPath), process.env['PATH']].join(delimiter),
      LC_ALL: 'C.UTF-8',
      PYTHONDONTWRITEBYTECODE: '1',
      LAMBDA_EXECUTOR: 'local',
      SFTP_ENABLED: '0',
      IOT_MTLS_ENABLED: '0',
      LOG_LEVEL: 'WARNING',
      STATE_DIR: join(scratch, 'state'),
      TMPDIR: join(scratch, 'tmp'),
      NODE_COMPILE_CACHE: join(scratch, 'compile-cache'),
      MINISTACK_ACCOUNT_ID: account,
      AWS_DEFAULT_REGION: region,
      AWS_ENDPOINT_URL: url,
      AWS_ENDPOINT_URL_DYNAMODB: endpoint,
    },
  });
  await log.close();
  const ended = new Promise<void>((done) => {
    child.once('error', () => done());
    child.once('exit', () => done());
  });
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGTERM');
    const kill = setTimeout(() => child.kill('SIGKILL'), 5_000);
    await once(child, 'exit');
    clearTimeout(kill);
  };
  const signal = (name: NodeJS.Signals) => {
    if (child.pid !== undefined) process.kill(-child.pid, name);
  };
  const noted = async () => {
    const lines = (await readFile(logPath, 'utf8')).matchAll(/^noted: (.*)$/gm);
    return [...new Set([...lines].map(([, line = '']) => line))];
  };
  try {
    await waitUntilReady(`${url}/_ministack/ready`, ended);
  } catch (error) {
    await stop();
    throw new Error(`MiniStack does not answer:\n${await readFile(logPath, 'utf8')}`, { cause: error });
  }
  return {
    aws: openAws(url),
    apiUrl: `http://127.0.0.1:${apiPort}`,
    stageUrl: (stage) => `http://dapple.execute-api.localhost:${apiPort}/${stage}`,
    noted,
    freeze: () => signal('SIGSTOP'),
    thaw: () => signal('SIGCONT'),
    stop,
  };
}

async function waitUntilReady(url: string, ended: Promise<void>): Promise<void> {
  const deadline = performance.now() + startTimeoutMs;
  const failed = ended.then((): never => {
    throw new Error('it ended');
  });
  const answers = () =>
    fetch(url).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await Promise.race([answers(), failed]))) {
    if (performance.now() > deadline) throw new Error('not within a minute');
    await sleep(50);
  }
}
