/** Runs commands of one installed client. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import type { Outcome } from '../support/client-home.ts';

/** The programs of a client, ready to run. */
export interface Commands {
  /** Runs a program; one at a time. */
  readonly run: (program: string, args: readonly string[]) => Promise<Outcome>;
  readonly stop: () => Promise<void>;
}

const runner = fileURLToPath(new URL('commands.py', import.meta.url));

/** Starts the process that runs the commands of the client whose programs are in a folder. */
export function startCommands(bin: string, env: NodeJS.ProcessEnv): Commands {
  const child = spawn(join(bin, 'python'), [runner], { env, stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    run: async (program, args) => {
      child.stdin.write(`${JSON.stringify([program, args])}\n`);
      const { value, done } = await lines.next();
      if (done === true) throw new Error(`${runner} has ended`);
      const [status, stdout, stderr] = JSON.parse(value) as [number, string, string];
      return { status, stdout, stderr };
    },
    stop: async () => {
      child.stdin.end();
      await ended;
    },
  };
}
