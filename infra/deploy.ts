import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { deployedOptions, optionsOfAssembly } from './deployed-options.ts';
import { projectRoot } from './project-root.ts';
import { droppedOptions } from './stated-options.ts';

// `npm run deploy -- <arguments of cdk deploy>`: synthesises, refuses to drop an option that the deployed stack states, and deploys.
const cdk = join(projectRoot, 'node_modules', '.bin', 'cdk');
const args = process.argv.slice(2);

// What this program needs of them; the others are for `cdk deploy` alone.
const { values } = parseArgs({
  args,
  options: {
    app: { type: 'string', short: 'a' },
    context: { type: 'string', short: 'c', multiple: true },
    profile: { type: 'string' },
    'role-arn': { type: 'string', short: 'r' },
  },
  strict: false,
});

/** Arguments of an option for another command. */
function pass(name: 'context' | 'profile' | 'role-arn'): readonly string[] {
  return [values[name] ?? []].flat().flatMap((value) => [`--${name}`, String(value)]);
}

function runCdk(command: readonly string[]): void {
  const { status } = spawnSync(cdk, command, { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

const assembly = String(values.app ?? 'cdk.out');
if (values.app === undefined)
  runCdk(['synth', '--quiet', '--output', assembly, ...pass('context'), ...pass('profile')]);
const { stack, stated } = await optionsOfAssembly(assembly);
const before = await deployedOptions(assembly, cdk, [...pass('profile'), ...pass('role-arn')]).catch(
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
runCdk(['deploy', ...(values.app === undefined ? ['--app', assembly] : []), ...args]);
