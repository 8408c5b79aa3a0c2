import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { type Stated, statedOutput } from './stated-options.ts';

const execute = promisify(execFile);

interface Template {
  readonly Outputs?: Readonly<Record<string, { readonly Value?: unknown }>>;
}

/** The parts of an assembly's manifest that are read; everything else is copied. */
interface Manifest {
  readonly version: string;
  readonly artifacts: Readonly<
    Record<
      string,
      {
        readonly type: string;
        readonly environment?: string;
        readonly properties?: { readonly templateFile?: string };
      }
    >
  >;
}

/** The one stack of an assembly and the options that it states. */
export async function optionsOfAssembly(folder: string): Promise<{ readonly stack: string; readonly stated: Stated }> {
  const { stack, artifact } = await readStack(folder);
  const template = JSON.parse(
    await readFile(join(folder, artifact.properties?.templateFile ?? ''), 'utf8'),
  ) as Template;
  return { stack, stated: parseOutput(template.Outputs?.[statedOutput]) ?? {} };
}

/**
 * The options that the deployed stack of an assembly states; undefined if it does not exist or has no such output. The CDK's command
 * line reads it, with the roles and credentials that the deployment has too: it compares the stack with a template without outputs.
 *
 * @param cdk The program.
 * @param access Arguments that choose credentials.
 */
export async function deployedOptions(
  folder: string,
  cdk: string,
  access: readonly string[],
): Promise<Stated | undefined> {
  const { manifest, stack, artifact } = await readStack(folder);
  const scratch = await mkdtemp(join(tmpdir(), 'dapple-deployed-'));
  try {
    const templateFile = 'empty.template.json';
    // Its roles, without what it depends on.
    const { type, environment, properties } = artifact;
    const empty = { type, environment, properties: { ...properties, templateFile } };
    await writeFile(join(scratch, templateFile), '{"Resources":{}}');
    await writeFile(
      join(scratch, 'manifest.json'),
      JSON.stringify({ version: manifest.version, artifacts: { [stack]: empty } }),
    );
    const args = ['diff', '--app', scratch, '--method=template', '--no-color', '--no-notices', ...access];
    // The command writes differences to its error output.
    const { stdout, stderr } = await execute(cdk, args, { maxBuffer: 2 ** 26 });
    const line = (stdout + stderr).split('\n').find((text) => removed.test(text));
    return line === undefined
      ? undefined
      : parseOutput(JSON.parse(line.slice(line.indexOf('{'))) as { Value?: unknown });
  } finally {
    await rm(scratch, { recursive: true });
  }
}

/** The line about the output, as the command writes it: `[-] Output Options: {"Value":...}`. */
const removed = new RegExp(String.raw`^\[-\] Output (?:\S+ )?${statedOutput}: \{`);

async function readStack(folder: string) {
  const manifest = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')) as Manifest;
  const found = Object.entries(manifest.artifacts).find(([, { type }]) => type === 'aws:cloudformation:stack');
  if (found === undefined) throw new Error(`${folder} has no stack`);
  const [stack, artifact] = found;
  return { manifest, stack, artifact };
}

function parseOutput(output: { readonly Value?: unknown } | undefined): Stated | undefined {
  return typeof output?.Value === 'string' ? (JSON.parse(output.Value) as Stated) : undefined;
}
