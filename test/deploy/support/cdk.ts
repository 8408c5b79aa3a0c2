import { execFile } from 'node:child_process';
import { mkdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';

import { projectRoot } from '../../../infra/project-root.ts';
import { account, region } from './aws.ts';

const execute = promisify(execFile);

const cdkProgram = [join(projectRoot, 'node_modules', '.bin', 'cdk')];
const deployProgram = [process.execPath, join(projectRoot, 'infra', 'deploy.ts')];

/** The command line of the CDK without settings of the user: no home, no profile, no telemetry. */
export class Cdk {
  readonly #scratch: string;
  readonly #url: string;

  /** @param url The emulator, passed as AWS_ENDPOINT_URL. */
  constructor(scratch: string, url: string) {
    this.#scratch = scratch;
    this.#url = url;
  }

  /** Bootstraps the account for the CDK. */
  async bootstrap(): Promise<void> {
    await this.#run(cdkProgram, ['bootstrap', `aws://${account}/${region}`]);
  }

  /**
   * Deploys the stack of an assembly as `npm run deploy` does; returns its outputs and the log.
   *
   * @throws Error with the log if it is refused, or fails.
   */
  async deploy(assembly: string): Promise<{ outputs: Readonly<Record<string, string>>; said: string }> {
    const file = join(this.#scratch, 'outputs.json');
    const said = await this.#run(deployProgram, [
      '--all',
      '--app',
      assembly,
      '--method=direct',
      '--require-approval=never',
      `--outputs-file=${file}`,
    ]);
    const stacks = JSON.parse(await readFile(file, 'utf8')) as Record<string, Record<string, string>>;
    return { outputs: Object.values(stacks)[0] ?? {}, said };
  }

  /** Deletes the stack of an assembly. */
  async destroy(assembly: string): Promise<void> {
    await this.#run(cdkProgram, ['destroy', '--all', '--app', assembly, '--force']);
  }

  /** Runs in a folder without cdk.json, with which the CDK would synthesise the stack again. */
  async #run(program: readonly string[], args: string[]): Promise<string> {
    const [cwd, home] = [join(this.#scratch, 'empty'), join(this.#scratch, 'home')];
    for (const folder of [cwd, home]) await mkdir(folder, { recursive: true });
    return run([...program, ...args, '--no-notices'], cwd, {
      PATH: process.env['PATH'],
      HOME: home,
      CDK_HOME: home,
      CDK_DISABLE_CLI_TELEMETRY: 'true',
      CDK_DEFAULT_ACCOUNT: account,
      CDK_DEFAULT_REGION: region,
      AWS_ENDPOINT_URL: this.#url,
      AWS_ACCESS_KEY_ID: account,
      AWS_SECRET_ACCESS_KEY: 'test',
      AWS_REGION: region,
    });
  }
}

/** Synthesises the stack for a gateway that cannot stream, with all its checks. */
export async function synthesise(folder: string): Promise<void> {
  await run(
    [
      ...cdkProgram,
      'synth',
      '--quiet',
      '-c',
      'responseMode=buffer',
      '-c',
      'monitoring=all',
      '-c',
      'eventBus=on',
      '--output',
      folder,
    ],
    projectRoot,
    process.env,
  );
}

async function run([program = '', ...args]: string[], cwd: string, env: NodeJS.ProcessEnv): Promise<string> {
  try {
    const { stdout, stderr } = await execute(program, args, { cwd, env, maxBuffer: 2 ** 26 });
    return stdout + stderr;
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`${basename(program)} ${args[0]} failed:\n${(stdout + stderr).trim()}`, { cause: error });
  }
}
