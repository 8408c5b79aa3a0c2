import type { Node } from 'constructs';

import { type Kind, options } from './options.ts';

/** Options with the values that a deployment states; presets are not among them. */
export type Stated = Readonly<Record<string, string>>;

/** The output of the stack that remembers them. */
export const statedOutput = 'Options';

/** The options that the command line, cdk.json or the file of the stage state. The stage is in the name of the stack. */
export function statedOptions(node: Node): Stated {
  const names = Object.keys(options).filter((name) => name !== 'stage' && node.tryGetContext(name) !== undefined);
  return Object.fromEntries(names.map((name) => [name, String(node.tryGetContext(name))]));
}

/** An option that the deployed stack has by statement, and the next one would have by its preset. */
export interface Dropped {
  readonly name: string;
  readonly was: string;
  readonly preset: string;
}

/** The options that a deployment would change without saying so. Options that this version does not know cannot be stated. */
export function droppedOptions(stage: string, before: Stated, now: Stated): readonly Dropped[] {
  const kind: Kind = (now['kind'] ?? stage) === 'prod' ? 'prod' : 'dev';
  return Object.entries(options)
    .map(([name, { preset }]) => ({ name, was: before[name], preset: preset[kind] }))
    .filter((option): option is Dropped => {
      const { name, was, preset } = option;
      return was !== undefined && now[name] === undefined && was !== preset;
    });
}
