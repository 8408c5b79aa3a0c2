import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

import { deployedOptions, optionsOfAssembly } from './deployed-options.ts';
import { projectRoot } from './project-root.ts';
import { droppedOptions } from './stated-options.ts';

// `npm run deploy -- <arguments of cdk deploy>`: synthesises, refuses to drop an option that the deployed stack states, and deploys.
const cdk = join(projectRoot, 'node_modules', '.bin', 'cdk');
const args = process.argv.slice(2);

/** The given arguments that are of the named options, each with its value. */
function valuesOf(...names: readonly string[]): readonly string[] {
  return args.flatMap((argument, at) => {
    const [name = ''] = argument.split('=', 1);
    if (!names.includes(name)) return [];
    return argument.includes('=') && name.startsWith('--') ? [argument] : [argument, args[at + 1] ?? ''];
  });
}

function runCdk(command: readonly string[]): void {
  const { status } = spawnSync(cdk, command, { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

const given = valuesOf('--app', '-a')
  .at(-1)
  ?.replace(/^--app=/, '');
const assembly = given ?? 'cdk.out';
if (given === undefined)
  runCdk(['synth', '--quiet', '--output', assembly, ...valuesOf('-c', '--context', '--profile')]);
const { stack, stated } = await optionsOfAssembly(assembly);
const before = await deployedOptions(assembly, cdk, valuesOf('--profile', '--role-arn', '-r')).catch(
  (error: unknown) => {
    console.error('cannot read the options of the deployed stack, so nothing was deployed');
    console.error((error as { stderr?: string }).stderr ?? error);
    process.exit(1);
  },
);
const stage = stack.replace(/^dapple-/, '');
const dropped = droppedOptions(stage, before ?? {}, stated);
for (const { name, was, preset } of dropped) {
  console.error(
    `${stack} was deployed with ${name}=${was}, which nothing sets now: it would become ${preset || 'empty'}.`,
  );
}
if (dropped.length > 0) {
  console.error(
    `Set each in settings/${stage}.json, or to the new value to say that you mean it. Nothing was deployed.`,
  );
  process.exit(1);
}
runCdk(['deploy', ...(given === undefined ? ['--app', assembly] : []), ...args]);
