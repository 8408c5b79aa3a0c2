import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { inspect } from 'node:util';

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import type * as MakeRootFunction from '../../../functions/make-root.ts';
import type * as MakeRoot from '../../../lib/domain/accounts/make-root.ts';
import type * as LogIn from '../../../lib/operations/auth/log-in.ts';
import { openStore } from '../../../lib/store/open-store.ts';
import { type Fault, type FaultyEngine, newFaultyEngine } from '../../support/faulty-engine.ts';
import { newProcess } from '../../support/new-process.ts';
import { passTime } from '../../support/pass-time.ts';
import { ownEngine } from '../../support/run.ts';
import { type MockSecretsManager, mockSecretsManager } from '../../support/secrets-manager.ts';
import { newTestStore } from '../../support/store.ts';

interface Verdict {
  readonly Status: string;
  readonly PhysicalResourceId: string;
  readonly Reason?: string;
  readonly Data?: { readonly Outcome: string };
}

const password = 'Xy7'.repeat(12);
const login = JSON.stringify({ username: 'root', password });
const SecretId = 'arn:aws:secretsmanager:eu-central-1:111122223333:secret:RootPassword';
const request = { StackId: 'stack', RequestId: 'request', LogicalResourceId: 'RootAccount' };

let secrets: MockSecretsManager;
let engine: FaultyEngine;
/** Receives the answer in place of CloudFormation. */
let cloudFormation: Server;
let verdicts: Verdict[];

beforeEach(async () => {
  await newTestStore();
  engine = newFaultyEngine(await ownEngine());
  vi.stubEnv('LOG_LEVEL', 'SILENT');
  keepInSecret(login);
  verdicts = [];
  cloudFormation = createServer(
    (incoming, outgoing) =>
      void text(incoming).then((body) => {
        expect(incoming).toMatchObject({ method: 'PUT', url: '/answer?signature=x', headers: { 'content-type': '' } });
        verdicts.push(JSON.parse(body) as Verdict);
        return outgoing.end();
      }),
  );
  await new Promise<void>((resolve) => {
    cloudFormation.listen(0, '127.0.0.1', resolve);
  });
});
afterEach(() => {
  secrets.restore();
  cloudFormation.close();
  cloudFormation.closeAllConnections();
  vi.unstubAllEnvs();
  vi.useRealTimers();
});

function keepInSecret(value: string) {
  secrets = mockSecretsManager(value);
}

/** Calls the function as CloudFormation does, in a new process; returns the answer to CloudFormation. */
async function call(RequestType: string): Promise<Verdict | undefined> {
  const { handler } = await newProcess(engine.client)<typeof MakeRootFunction>('functions/make-root.ts');
  const { port } = cloudFormation.address() as AddressInfo;
  const ResponseURL = `http://127.0.0.1:${port}/answer?signature=x`;
  await handler({ ...request, RequestType, ResponseURL, ResourceProperties: { SecretId } });
  return verdicts.pop();
}

/** Logs in, in a new process. */
async function logInAs(withPassword: string) {
  const { logIn } = await newProcess(engine.client)<typeof LogIn>('lib/operations/auth/log-in.ts');
  return logIn(
    { store: openStore(engine.client), now: Date.now() },
    { vo: undefined, account: 'root', username: 'root', password: withPassword },
  );
}

describe('the first account of a stack', () => {
  it('is created with the password in the secret; later events do not change it', async () => {
    expect(await call('Create')).toEqual({
      ...request,
      Status: 'SUCCESS',
      PhysicalResourceId: 'root-account',
      Data: { Outcome: 'created' },
    });
    vi.stubEnv('TOKEN_KEY', 'k'.repeat(40));
    expect(await logInAs(password)).toMatchObject({ account: 'root' });
    keepInSecret(JSON.stringify({ username: 'root', password: 'another' }));
    for (const type of ['Create', 'Update']) {
      expect(await call(type)).toMatchObject({
        Status: 'SUCCESS',
        PhysicalResourceId: 'root-account',
        Data: { Outcome: 'found' },
      });
    }
    expect(await call('Delete')).toEqual({ ...request, Status: 'SUCCESS', PhysicalResourceId: 'root-account' });
    expect(await logInAs(password)).toMatchObject({ account: 'root' });
  });

  it('is created with the permissions of its role: GetItem, and transactions of puts', async () => {
    const sent = new Set<string>();
    engine.injectFaults((operation, input) => {
      sent.add(operation);
      const parts = (input['TransactItems'] ?? []) as object[];
      for (const part of parts) sent.add(Object.keys(part).join(' '));
      return undefined;
    });
    await call('Create');
    expect([...sent].toSorted()).toEqual(['GetItem', 'Put', 'TransactWriteItems']);
  });
});

const accessDenied: Fault = {
  kind: 'answer',
  status: 400,
  body: { __type: 'AccessDeniedException', message: 'not authorized' },
};

describe('a role whose policy is not in force yet', () => {
  it('does not fail the first deployment: what it is refused is tried again', async () => {
    let refusals = 0;
    engine.injectFaults(() => {
      refusals += 1;
      return refusals < 3 ? accessDenied : undefined;
    });
    expect(await call('Create')).toMatchObject({ Status: 'SUCCESS', Data: { Outcome: 'created' } });
    expect(refusals).toBeGreaterThanOrEqual(3);
  });

  it('nor where it may not read the secret yet', async () => {
    secrets.fail(true);
    const called = call('Create');
    await expect.poll(() => secrets.calls.length).toBeGreaterThan(0);
    secrets.fail(false);
    expect(await called).toMatchObject({ Status: 'SUCCESS', Data: { Outcome: 'created' } });
  });
});

describe('a failure', () => {
  it('is reported to CloudFormation with its reason, half a minute after the first refusal', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    engine.injectFaults(() => {
      passTime(31_000);
      return accessDenied;
    });
    expect(await call('Create')).toEqual({
      ...request,
      Status: 'FAILED',
      PhysicalResourceId: 'root-account',
      Reason: 'DatabaseException: An unknown Database Exception has occurred.',
    });
  });

  it.each([
    `${password} is no JSON`,
    JSON.stringify([password]),
    JSON.stringify({ username: 'root', password: [password] }),
  ])('never quotes the secret, here %j', async (value) => {
    keepInSecret(value);
    expect(await call('Create')).toMatchObject({
      Status: 'FAILED',
      Reason: `Error: the secret ${SecretId} is not JSON with a username and a password`,
    });
    const { makeRoot } = await newProcess(engine.client)<typeof MakeRoot>('lib/domain/accounts/make-root.ts');
    const error: unknown = await makeRoot(openStore(engine.client), SecretId).catch((thrown: unknown) => thrown);
    expect(inspect(error)).not.toContain(password);
  });

  it('to report to CloudFormation makes Lambda retry', async () => {
    cloudFormation.removeAllListeners('request');
    cloudFormation.on('request', (_incoming, outgoing) => outgoing.writeHead(403).end());
    await expect(call('Delete')).rejects.toThrow('CloudFormation answered 403 to the outcome of RootAccount');
  });
});
