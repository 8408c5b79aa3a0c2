/**
 * Where the deployed service in the emulator may differ. Resources are asserted exact: one that is missing here fails the
 * run, and so does one that is here without need.
 */

/** Resources that are taken note of and not made, by type; what they do is tested on the template (test/infra). */
export const notMade: Readonly<Record<string, string>> = {
  'AWS::SecretsManager::RotationSchedule':
    'MiniStack rotates a secret when asked to, not by a schedule of the stack (test/domain/tokens has the rotation)',
};

const memory =
  'a function remembers options for a minute; on a local server all are one process, which sees a change at once';

const lifetime = 'test/blackbox/lifetime-exceptions.test.ts > exceptions to the lifetime model (access 6.5)';

/** Tests, as `file > full name`, that pass or not according to what a function has read in the last minute. They are printed, whatever they do. */
export const dependsOnTime: Readonly<Record<string, string>> = {
  'test/blackbox/replicas-delete.test.ts > DELETE /replicas (replication 1.3) deletes 1,000 replicas all or none':
    'a collected answer has 29 s, which is little for 2,000 requests to an engine that has two cores with everything else',
  [`${lifetime} need nothing but a cutoff date in the future`]: memory,
  [`${lifetime} end after the longest extension at the latest`]: memory,
  'test/compat/library.compat.ts > LifetimeClient.add_exception asks for exceptions for what ends before the cutoff date; without that date it is UnsupportedOperation':
    memory,
  'test/compat/library.compat.ts > the cases are recorded for docs/compatibility.md (renew with -u)':
    'records the one above as failed',
};
