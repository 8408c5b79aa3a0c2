import { availableParallelism } from 'node:os';

import { unavailable } from '../../errors.ts';
import { FairSlots } from '../../fair-slots.ts';
import type { Identity } from '../../store/entities/identity.ts';
import { type Counted, getFailures } from '../../store/entities/login.ts';
import { fitsHash, isRememberedPassword, markPassword, rememberPassword } from '../identities/password.ts';
import type { AnonymousContext } from '../values/context.ts';
import { countPasswordCheck, requireNotThrottled } from './throttle.ts';

/**
 * Keys are derived by so many threads at once that one processor is left for other requests. Each identity has one in turn:
 * many wrong passwords of one user delay nobody else by more than those that are under way. Identities that exist go first.
 */
const turns = new FairSlots({ slots: Math.max(1, Math.min(4, availableParallelism()) - 1), maxWaiting: 500 });

/** A password to check. */
export interface PasswordCheck {
  readonly username: string;
  readonly password: string;
  /** The identity; undefined: there is none, or it may not act for the account. */
  readonly identity: Identity | undefined;
  /** The failures that count, as they were read. */
  readonly failures: readonly Counted[];
  /** Whether a correct password leads to a log-in: then it is remembered. */
  readonly isLogin: boolean;
}

/**
 * Checks a password and counts the attempt, before any answer. All wrong ones take the same time, whatever is wrong. A password
 * that led to a log-in within ten minutes is recognised without deriving a key.
 *
 * @returns Whether it is the password of the identity.
 * @throws CannotAuthenticate (429) after too many wrong passwords; DatabaseException (503) while too many are checked.
 */
export async function checkPassword(context: AnonymousContext, check: PasswordCheck): Promise<boolean> {
  const { password, identity, failures, isLogin } = check;
  requireNotThrottled(failures, context.now);
  const stored = identity?.password;
  const isKnown = isLogin && stored !== undefined && isRememberedPassword(password, stored);
  const isRight = isKnown || (await derive(context, check));
  await countPasswordCheck(context, { failures, isWrong: !isRight });
  if (isRight && isLogin && stored !== undefined) rememberPassword(password, stored);
  return isRight;
}

/** A check that is not to be counted, of names that no identity can have; it takes as long. */
export async function pretendToCheck(username: string, password: string): Promise<void> {
  await inTurn(username, false, async () => fitsHash(password, undefined));
}

/** Checks under way of passwords that would log in, by {@link markPassword}: equal ones at the same time are one. */
const underWay = new Map<string, Promise<boolean>>();

async function derive(context: AnonymousContext, check: PasswordCheck): Promise<boolean> {
  const { password, identity, isLogin } = check;
  if (!isLogin || identity?.password === undefined) return deriveInTurn(context, check);
  const mark = markPassword(password, identity.password);
  const running = underWay.get(mark);
  if (running !== undefined) return running;
  const deriving = deriveInTurn(context, check).finally(() => underWay.delete(mark));
  underWay.set(mark, deriving);
  return deriving;
}

async function deriveInTurn(
  { store, now }: AnonymousContext,
  { username, password, identity, failures }: PasswordCheck,
): Promise<boolean> {
  return inTurn(username, identity !== undefined, async (hasWaited) => {
    // Those before it in the same lane may have been too many wrong ones: then no key is derived for it.
    if (hasWaited) {
      const owners = failures.map(({ whose }) => whose);
      requireNotThrottled(await getFailures(store.table, owners), now);
    }
    return fitsHash(password, identity?.password);
  });
}

async function inTurn<T>(lane: string, isPreferred: boolean, act: (hasWaited: boolean) => Promise<T>): Promise<T> {
  const turn = await turns.take(lane, { isPreferred });
  if (turn === undefined) throw unavailable();
  try {
    return await act(turn.hasWaited);
  } finally {
    turn.release();
  }
}
