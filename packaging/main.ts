#!/usr/bin/env node
import { setFlagsFromString } from 'node:v8';

import packageJson from '../package.json' with { type: 'json' };
import { commands } from './commands.ts';
import { begin } from './prelude.ts';

/* The program `dapple` of the package. */

const help = `dapple <command> [options]      ${packageJson.version}, a data catalogue that speaks the REST interface of Rucio

${Object.entries(commands)
  .map(([name, { summary }]) => `  ${name.padEnd(16)}${summary}`)
  .join('\n')}
  completion      prints a completion for a shell: bash, zsh or fish

dapple <command> --help says what the options of a command are. To try it: dapple start --in-memory`;

/** Long lists make many objects that live briefly. */
function enlargeYoungGeneration(): void {
  setFlagsFromString('--max-semi-space-size=64');
}

async function main(): Promise<void> {
  const [name = '--help', ...rest] = process.argv.slice(2);
  if (['--help', '-h', 'help'].includes(name)) return console.log(help);
  if (['--version', '-v'].includes(name)) return console.log(packageJson.version);
  begin();
  enlargeYoungGeneration();
  if (name === 'completion') {
    const { completionFor } = await import('./completion.ts');
    return console.log(await completionFor(rest));
  }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) throw new Error(`There is no command ${name}. The commands are:\n\n${help}`);
  process.argv.splice(2, 1);
  await command.run();
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 2;
});
