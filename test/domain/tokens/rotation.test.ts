import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import type * as RotateTokenKey from '../../../functions/rotate-token-key.ts';
import type * as SshChallenge from '../../../lib/domain/auth/ssh-challenge.ts';
import type * as Cursor from '../../../lib/domain/paging/cursor.ts';
import type { RotationStep } from '../../../lib/domain/tokens/rotate-token-key.ts';
import type * as Token from '../../../lib/domain/tokens/token.ts';
import { newProcess } from '../../support/new-process.ts';
import { type MockSecretsManager, mockSecretsManager } from '../../support/secrets-manager.ts';
import { anyOrigin } from '../../support/tokens.ts';

const steps = ['createSecret', 'setSecret', 'testSecret', 'finishSecret'];
const SecretId = 'arn:aws:secretsmanager:eu-central-1:111122223333:secret:TokenKey';
const root = { account: 'root', identity: 'ddmlab' };
const minute = 60_000;
const refusedToken = { name: 'CannotAuthenticate' };
const refusedCursor = { name: 'InvalidObject' };

let secrets: MockSecretsManager;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
  secrets = mockSecretsManager('first'.repeat(10));
  vi.stubEnv('TOKEN_KEY_SECRET_ID', SecretId);
  vi.stubEnv('TOKEN_KEY', undefined);
  vi.stubEnv('LOG_LEVEL', 'SILENT');
  vi.advanceTimersByTime(90 * 24 * 60 * minute);
});
afterEach(() => {
  secrets.restore();
  vi.unstubAllEnvs();
  vi.useRealTimers();
});

/** Runs one step, in a new process. */
async function rotate(step: RotationStep) {
  const { handler } = await newProcess()<typeof RotateTokenKey>('functions/rotate-token-key.ts');
  await handler(step);
}

/** Runs a rotation as Secrets Manager does. */
async function rotateOnce() {
  const ClientRequestToken = secrets.beginRotation();
  for (const Step of steps) await rotate({ Step, SecretId, ClientRequestToken });
}

/** A new process, which has read no key yet. */
async function startProcess() {
  const load = newProcess();
  const { issueToken, verifyToken } = await load<typeof Token>('lib/domain/tokens/token.ts');
  const { openCursor, sealCursor } = await load<typeof Cursor>('lib/domain/paging/cursor.ts');
  const { issueChallenge, findOpenChallenge } = await load<typeof SshChallenge>('lib/domain/auth/ssh-challenge.ts');
  return {
    issue: async () => (await issueToken({ ...root, origin: anyOrigin }, Date.now())).token,
    verify: verifyToken,
    seal: () => sealCursor('list', ['x']),
    open: (cursor: string) => openCursor('list', cursor),
    issueChallenge,
    findOpenChallenge,
  };
}

const kidOf = (token: string) =>
  (JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()) as { kid?: string }).kid;

describe('a rotation', () => {
  it('puts a new key in use, keeps the last one, and drops the one before it', async () => {
    await rotateOnce();
    const second = secrets.valueOf('AWSCURRENT');
    expect(second).toMatch(/^[\w-]{64}$/);
    expect(secrets.valueOf('AWSPREVIOUS')).toBe('first'.repeat(10));
    await rotateOnce();
    expect(secrets.valueOf('AWSCURRENT')).not.toBe(second);
    expect(secrets.valueOf('AWSPREVIOUS')).toBe(second);
  });

  it('is idempotent: each step twice, and all steps again at the end', async () => {
    const ClientRequestToken = secrets.beginRotation();
    let pending: string | undefined;
    for (const Step of steps) {
      await rotate({ Step, SecretId, ClientRequestToken });
      pending ??= secrets.valueOf('AWSPENDING');
      await rotate({ Step, SecretId, ClientRequestToken });
    }
    for (const Step of steps) await rotate({ Step, SecretId, ClientRequestToken });
    expect(secrets.valueOf('AWSCURRENT')).toBe(pending);
    expect(secrets.valueOf('AWSPREVIOUS')).toBe('first'.repeat(10));
  });

  it('that is aborted does not change the key in use, and the next one succeeds', async () => {
    const ClientRequestToken = secrets.beginRotation();
    await rotate({ Step: 'createSecret', SecretId, ClientRequestToken });
    expect(secrets.valueOf('AWSCURRENT')).toBe('first'.repeat(10));
    await rotateOnce();
    expect(secrets.valueOf('AWSPREVIOUS')).toBe('first'.repeat(10));
  });

  it('is refused for a version that is not pending or absent, and for an unknown step', async () => {
    const ClientRequestToken = secrets.beginRotation();
    secrets.beginRotation();
    await expect(rotate({ Step: 'createSecret', SecretId, ClientRequestToken })).rejects.toThrow('is not pending');
    await expect(rotate({ Step: 'createSecret', SecretId, ClientRequestToken: 'x' })).rejects.toThrow('no version x');
    const next = { SecretId, ClientRequestToken: secrets.beginRotation() };
    await expect(rotate({ Step: 'testSecret', ...next })).rejects.toThrow('has no value');
    await expect(rotate({ Step: 'eatSecret', ...next })).rejects.toThrow('no step eatSecret');
  });
});

describe('a signature from before a rotation', () => {
  it('is valid after it, in processes from before and after, but not after another rotation', async () => {
    const before = await startProcess();
    const [token, cursor] = [await before.issue(), await before.seal()];
    await rotateOnce();
    const after = await startProcess();
    for (const { verify, open } of [before, after]) {
      expect(await verify(token)).toMatchObject(root);
      expect(await open(cursor)).toEqual(['x']);
    }
    await rotateOnce();
    vi.advanceTimersByTime(5 * minute);
    for (const { verify, open } of [before, after, await startProcess()]) {
      await expect(verify(token)).rejects.toMatchObject(refusedToken);
      await expect(open(cursor)).rejects.toMatchObject(refusedCursor);
    }
  });

  it('is valid also without a key id, as in tokens from before keys had ids', async () => {
    const { SignJWT } = await import('jose');
    const claims = { idn: 'ddmlab', sub: 'root', aud: 'rucio', typ: 'USERPASS', map: 0, gen: 0 };
    const old = (secret: string) =>
      new SignJWT({ ...claims, exp: Math.floor(Date.now() / 1000) + 3600 })
        .setProtectedHeader({ alg: 'HS256' })
        .sign(new TextEncoder().encode(secret));
    await rotateOnce();
    const { verify } = await startProcess();
    expect(await verify(await old('first'.repeat(10)))).toMatchObject(root);
    await expect(verify(await old('other'.repeat(10)))).rejects.toMatchObject(refusedToken);
  });
});

describe('a token', () => {
  it('has its signature checked once by a process, and ends with its lifetime all the same', async () => {
    const issuer = await startProcess();
    const token = await issuer.issue();
    const { verify } = await startProcess();
    const checks = vi.spyOn(crypto.subtle, 'verify');
    for (let request = 0; request < 3; request += 1) expect(await verify(token)).toMatchObject(root);
    expect(checks).toHaveBeenCalledOnce();
    checks.mockRestore();
    vi.advanceTimersByTime(59 * minute);
    expect(await verify(token)).toMatchObject(root);
    vi.advanceTimersByTime(minute);
    await expect(verify(token)).rejects.toMatchObject(refusedToken);
  });

  it('with another signature is refused after the right one was accepted', async () => {
    const process = await startProcess();
    const token = await process.issue();
    expect(await process.verify(token)).toMatchObject(root);
    await expect(process.verify(`${token.slice(0, -2)}AA`)).rejects.toMatchObject(refusedToken);
  });
});

describe('a new key', () => {
  it('signs once every process has read it, ten minutes after it was put in use', async () => {
    const before = await startProcess();
    const oldKid = kidOf(await before.issue());
    expect(oldKid).toMatch(/^[\w-]{12}$/);
    await rotateOnce();
    const after = await startProcess();
    expect(kidOf(await after.issue())).toBe(oldKid);
    vi.advanceTimersByTime(10 * minute);
    const token = await after.issue();
    expect(kidOf(token)).not.toBe(oldKid);
    expect(kidOf(await before.issue())).toBe(kidOf(token));
    expect(await before.open(await after.seal())).toEqual(['x']);
    const { challenge } = await challengeFrom(after);
    const found = await before.findOpenChallenge('root', Date.now(), (open) => open === challenge);
    expect(found).toMatchObject({ challenge });
  });

  it('signs ten minutes after it was put in use, also when it was created long before', async () => {
    const before = await startProcess();
    const oldKid = kidOf(await before.issue());
    const ClientRequestToken = secrets.beginRotation();
    await rotate({ Step: 'createSecret', SecretId, ClientRequestToken });
    vi.advanceTimersByTime(3 * 60 * minute);
    // This process has just read the keys, and reads them again in five minutes.
    const warm = await startProcess();
    await warm.issue();
    for (const Step of steps) await rotate({ Step, SecretId, ClientRequestToken });
    const after = await startProcess();
    expect(kidOf(await after.issue())).toBe(oldKid);
    expect(await warm.open(await after.seal())).toEqual(['x']);
    vi.advanceTimersByTime(10 * minute);
    expect(kidOf(await after.issue())).not.toBe(oldKid);
    expect(await warm.open(await after.seal())).toEqual(['x']);
  });

  it('leaves no stage on a dropped version', async () => {
    for (let rotation = 0; rotation < 5; rotation += 1) await rotateOnce();
    expect(secrets.stages().filter((stage) => stage.startsWith('DAPPLE'))).toHaveLength(2);
  });

  it('is read at once when a token names it, but not at every such token', async () => {
    const warm = await startProcess();
    await warm.issue();
    vi.advanceTimersByTime(minute);
    // Two rotations by hand: the key before is dropped, and the signing key is new to the process.
    await rotateOnce();
    await rotateOnce();
    const token = await (await startProcess()).issue();
    secrets.calls.length = 0;
    expect(await warm.verify(token)).toMatchObject(root);
    expect(secrets.calls).toEqual(['GetSecretValue', 'GetSecretValue']);
    const forged = `${Buffer.from('{"alg":"HS256","kid":"unknown"}').toString('base64url')}.e30.AAAA`;
    for (let attempt = 0; attempt < 20; attempt += 1) {
      await expect(warm.verify(forged)).rejects.toMatchObject(refusedToken);
    }
    expect(secrets.calls).toHaveLength(2);
    vi.advanceTimersByTime(minute);
    await expect(warm.verify(forged)).rejects.toMatchObject(refusedToken);
    expect(secrets.calls).toHaveLength(4);
  });

  it('is read every five minutes, once for all waiting requests', async () => {
    const warm = await startProcess();
    const token = await warm.issue();
    secrets.calls.length = 0;
    vi.advanceTimersByTime(5 * minute - 1);
    await warm.verify(token);
    expect(secrets.calls).toEqual([]);
    vi.advanceTimersByTime(1);
    await Promise.all(Array.from({ length: 10 }, () => warm.verify(token)));
    expect(secrets.calls).toHaveLength(2);
  });
});

describe('while Secrets Manager fails', () => {
  it('a process continues with its cached keys, and one without keys fails', async () => {
    const warm = await startProcess();
    const token = await warm.issue();
    vi.advanceTimersByTime(6 * minute);
    secrets.fail(true);
    expect(await warm.verify(token)).toMatchObject(root);
    await expect((await startProcess()).verify(token)).rejects.toMatchObject({ name: 'AccessDeniedException' });
    secrets.fail(false);
    await rotateOnce();
    expect(await warm.verify(token)).toMatchObject(root);
  });
});

async function challengeFrom({ issueChallenge }: Awaited<ReturnType<typeof startProcess>>) {
  const { newTestStore } = await import('../../support/store.ts');
  const { bootstrapRoot } = await import('../../../lib/domain/accounts/bootstrap.ts');
  const store = await newTestStore();
  await bootstrapRoot(store, { username: 'ddmlab', password: 'secret' });
  return issueChallenge({ store, now: Date.now() }, { vo: undefined, account: 'root' });
}
