import { join } from 'node:path';

import { startDynamoDbLocal } from '../../../local/engine/judge/dynamodb-local/start.ts';
import { type Aws, openAws } from './aws.ts';
import { Cdk, synthesise } from './cdk.ts';
import { type Emulator, installEmulator, startEmulator } from './emulator.ts';

/** The tools of a deployment: assembly, engine, emulator. */
export interface Workshop {
  readonly scratch: string;
  /** The synthesised stack. */
  readonly assembly: string;
  readonly cdk: Cdk;
  readonly emulator: Emulator;
  /** The engine that holds the tables. */
  readonly engine: Aws;
  /** Prints a line with the seconds since the start. */
  say(this: void, line: string): void;
  /** Runs a step and prints its time. */
  timed<T>(this: void, what: string, action: () => Promise<T>): Promise<T>;
  /** Registers a clean-up step. */
  atEnd(action: () => Promise<void>): void;
  close(): Promise<void>;
}

/**
 * Synthesises the stack, starts engine and emulator, and bootstraps the emulator's account.
 *
 * @param scratch A folder that is deleted afterwards.
 * @param busy Whether the engine gets much load.
 */
export async function openWorkshop(scratch: string, busy: boolean): Promise<Workshop> {
  const begin = performance.now();
  const seconds = (since: number) => ((performance.now() - since) / 1000).toFixed(1);
  const say = (line: string) => console.log(`${seconds(begin).padStart(6)} s  ${line}`);
  const timed = async <T>(what: string, action: () => Promise<T>): Promise<T> => {
    const start = performance.now();
    const result = await action();
    say(`${what}: ${seconds(start)} s`);
    return result;
  };
  const ends: (() => Promise<void>)[] = [];
  const close = async () => {
    for (const end of ends.splice(0).toReversed()) await end();
  };
  const assembly = join(scratch, 'cdk.out');
  try {
    const [programs, engine] = await Promise.all([
      timed('the emulator is installed', installEmulator),
      timed('the engine answers', () => startDynamoDbLocal({ busy })),
      timed('the stack is synthesised', () => synthesise(assembly)),
    ]);
    ends.push(() => engine.stop());
    const emulator = await timed('the emulator answers', () =>
      startEmulator({ programs, endpoint: engine.endpoint, scratch }),
    );
    ends.push(() => emulator.stop());
    const cdk = new Cdk(scratch, emulator.aws.url);
    await timed('the account is bootstrapped', () => cdk.bootstrap());
    const atEnd = (action: () => Promise<void>) => void ends.push(action);
    return { scratch, assembly, cdk, emulator, engine: openAws(engine.endpoint), say, timed, atEnd, close };
  } catch (error) {
    await close();
    throw error;
  }
}
