import { readFile } from 'node:fs/promises';

import { commands } from './commands.ts';

/** The options of each command, by its name; the build reads them from the help texts. */
export type OptionsOfCommands = Readonly<Record<string, readonly string[]>>;

/** The options that a help text names. */
export function optionsOf(help: string): string[] {
  return [...new Set([...help.matchAll(/^ +(?:-\w, )?(--[a-z][a-z-]*)/gm)].map(([, option = '']) => option))];
}

/** The file of the package with the options of all commands. */
export const optionsFile = 'options.json';

const shells: Readonly<Record<string, (options: OptionsOfCommands) => string>> = {
  bash: (options) => `_dapple() {
  local word=\${COMP_WORDS[COMP_CWORD]} words
  if [ "$COMP_CWORD" = 1 ]; then words='${names().join(' ')}'; else
    case \${COMP_WORDS[1]} in
${casesOf(options, '      ')}
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o default -F _dapple dapple`,
  zsh: (options) => `#compdef dapple
_dapple() {
  local words
  if (( CURRENT == 2 )); then
    local -a all=(${Object.entries(commands)
      .map(([name, { summary }]) => `'${`${name}:${summary}`.replaceAll("'", "'\\''")}'`)
      .join(' ')} 'completion:prints a completion')
    _describe command all
  else
    local chosen=\${\${(z)BUFFER}[2]}
    case $chosen in
${casesOf(options, '      ')}
    esac
    compadd -- \${=words}
    _files
  fi
}
compdef _dapple dapple`,
  fish: (options) =>
    [
      ...Object.entries(commands).map(
        ([name, { summary }]) =>
          `complete -c dapple -n __fish_use_subcommand -a ${name} -d '${summary.replaceAll("'", "\\'")}'`,
      ),
      'complete -c dapple -n __fish_use_subcommand -a completion',
      ...Object.entries(options).flatMap(([name, flags]) =>
        flags.map((flag) => `complete -c dapple -n '__fish_seen_subcommand_from ${name}' -l ${flag.slice(2)}`),
      ),
    ].join('\n'),
};

const names = () => [...Object.keys(commands), 'completion'];

function casesOf(options: OptionsOfCommands, indent: string): string {
  return [...Object.entries(options), ['completion', Object.keys(shells)] as const]
    .map(([name, words]) => `${indent}${name}) words='${words.join(' ')}' ;;`)
    .join('\n');
}

/**
 * The completion for a shell.
 *
 * @param args The command line: the name of the shell.
 * @throws Error that says how to call it.
 */
export async function completionFor([shell = '']: readonly string[]): Promise<string> {
  if (!Object.hasOwn(shells, shell)) {
    throw new Error(`dapple completion bash|zsh|fish, for instance: source <(dapple completion bash)`);
  }
  const text = await readFile(new URL(`../${optionsFile}`, import.meta.url), 'utf8');
  return shells[shell]?.(JSON.parse(text) as OptionsOfCommands) ?? '';
}
