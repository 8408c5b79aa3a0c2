/** The two users of the command line in the tests: root, and one without special rights. */
import { afterAll, beforeAll } from 'vitest';

import { rootUser } from '../../support/run.ts';
import { newAccount } from '../../support/server.ts';
import { type ClientHome, createClientHome, type Outcome } from './client-home.ts';

/** A user with a client configuration. */
class Person {
  account = '';
  #home: ClientHome | undefined;

  async open(credentials: { account: string; username: string; password: string }): Promise<void> {
    this.account = credentials.account;
    this.#home = await createClientHome(credentials);
  }

  async close(): Promise<void> {
    await this.#home?.remove();
  }

  get tokenFile(): string {
    return this.#opened.tokenFile;
  }

  /** Runs the command line; arguments cannot hold blanks: `root.rucio('did show data:raw')`. */
  rucio(line: string): Promise<Outcome> {
    return this.#opened.rucio(...line.split(' '));
  }

  /** Runs a Python module of test/compat. */
  python(module: string, ...args: string[]): Promise<Outcome> {
    return this.#opened.python(module, ...args);
  }

  get #opened(): ClientHome {
    if (this.#home === undefined) throw new Error('only inside a test');
    return this.#home;
  }
}

/** The account root. */
export const root = new Person();

/** An account of type USER that owns nothing. */
export const user = new Person();

beforeAll(async () => {
  await root.open({ account: 'root', ...rootUser() });
  await user.open(await newAccount());
});

afterAll(async () => {
  await root.close();
  await user.close();
});
