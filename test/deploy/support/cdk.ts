import { execFile } from 'node:child_process';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { projectRoot } from '../../../infra/project-root.ts';
import { account, region } from './aws.ts';

const execute = promisify(execFile);

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
    await this.#run(['bootstrap', `aws://${account}/${region}`]);
  }

  /** Deploys the stack of an assembly; returns its outputs and the log. */
  async deploy(assembly: string): Promise<{ outputs: Readonly<Record<string, string>>; said: string }> {
    const file = join(this.#scratch, 'outputs.json');
    const said = await this.#run([
      'deploy',
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
    await this.#run(['destroy', '--all', '--app', assembly, '--force']);
  }

  /** Runs in a folder without cdk.json, with which the CDK would synthesise the stack again. */
  async #run(args: string[]): Promise<string> {
    const [cwd, home] = [join(this.#scratch, 'empty'), join(this.#scratch, 'home')];
    for (const folder of [cwd, home]) await mkdir(folder, { recursive: true });
    return cdk([...args, '--no-notices'], cwd, {
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
  await cdk(
    ['synth', '--quiet', '-c', 'responseMode=buffer', '-c', 'monitoring=all', '-c', 'eventBus=on', '--output', folder],
    projectRoot,
    process.env,
  );
}

async function cdk(args: string[], cwd: string, env: NodeJS.ProcessEnv): Promise<string> {
  const program = join(projectRoot, 'node_modules', '.bin', 'cdk');
  try {
    const { stdout, stderr } = await execute(program, args, { cwd, env, maxBuffer: 2 ** 26 });
    return stdout + stderr;
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`cdk ${args[0]} failed:\n${(stdout + stderr).trim()}`, { cause: error });
  }
}
