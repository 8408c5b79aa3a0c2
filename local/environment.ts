import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { makeFolder, tokenKeyFile } from './data-folder.ts';

/** The first account; the password is null where only its owner knows it. */
export interface LocalLogin {
  readonly account: string;
  readonly username: string;
  readonly password: string | null;
}

/** The part of the environment that differs between local servers. */
export interface EnvironmentSettings {
  readonly tableName: string;
  /** URL of an external engine; absent: the engine of this process. */
  readonly endpoint?: string | undefined;
  /** The name of a policy, or the path of its file; absent: that of the environment. */
  readonly policy?: string | undefined;
  /** The log-in that the page may fill in. */
  readonly login?: LocalLogin | undefined;
  /** Folder for the token key, so that tokens survive a restart; without it the key is new each time. */
  readonly dataDir?: string;
}

/**
 * Sets the environment that the stack gives to its functions. Call it before a function's module is imported.
 *
 * Variables for engine and mode are overwritten, so that leftovers of the caller's shell cannot redirect requests. All
 * others are only set where they are unset.
 *
 * @throws Error if the token key cannot be read or written.
 */
export function setEnvironment({ tableName, endpoint, login, dataDir, policy }: EnvironmentSettings): void {
  Object.assign(process.env, {
    TABLE_NAME: tableName,
    RESPONSE_MODE: 'stream',
    POWERTOOLS_DEV: 'false',
    LOCAL_LOGIN: login === undefined ? '' : JSON.stringify(login),
  });
  if (policy !== undefined) process.env['POLICY'] = policy;
  if (endpoint === undefined) delete process.env['AWS_ENDPOINT_URL_DYNAMODB'];
  else process.env['AWS_ENDPOINT_URL_DYNAMODB'] = endpoint;
  process.env['AWS_REGION'] ??= 'us-east-1';
  process.env['LOG_LEVEL'] ??= 'WARN';
  if (process.env['AWS_ACCESS_KEY_ID'] === undefined || process.env['AWS_SECRET_ACCESS_KEY'] === undefined) {
    Object.assign(process.env, { AWS_ACCESS_KEY_ID: 'local', AWS_SECRET_ACCESS_KEY: 'local' });
  }
  process.env['TOKEN_KEY'] ??= dataDir === undefined ? newKey() : keptKey(dataDir);
}

function newKey(): string {
  return randomBytes(32).toString('base64');
}

function keptKey(dataDir: string): string {
  const path = join(dataDir, tokenKeyFile);
  makeFolder(dataDir);
  try {
    writeFileSync(path, `${newKey()}\n`, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const key = readFileSync(path, 'utf8').trim();
  if (Buffer.from(key, 'base64').length < 32)
    throw new Error(`${path} is damaged: delete it, then tokens are issued anew`);
  return key;
}
