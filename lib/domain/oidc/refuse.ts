import { RucioError } from '../../errors.ts';

/** The refusal of every step of a log-in but the first, with Rucio's message. */
export function oidcRefusal(): RucioError {
  return new RucioError(
    'CannotAuthenticate',
    'Cannot finalize your token request, no authorization content returned from the auth server',
  );
}

/** @throws CannotAuthenticate (401). */
export function refuseOidcLogin(): never {
  throw oidcRefusal();
}
