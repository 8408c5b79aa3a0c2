import { onSession, session } from './session.ts';

let again: (() => Promise<void>) | undefined;
let account: string | undefined;

/**
 * Keeps how this window has logged in, so that a session that is used goes on. It is in the memory of this window alone: a reload
 * forgets it, and so does the end of the session.
 */
export function keepLogIn(logIn: () => Promise<void>): void {
  again = logIn;
  account = session()?.account;
}

onSession(() => {
  if (session()?.account !== account) again = undefined;
});

/** Renews the session, if this window has logged in itself; false if it cannot be renewed. */
export async function renewSession(): Promise<boolean> {
  if (again === undefined) return false;
  return again().then(
    () => true,
    () => {
      // Such as a password that was changed: the reader is asked.
      again = undefined;
      return false;
    },
  );
}
