/**
 * Resources that the emulator takes note of and does not make, by type; what they do is tested on the template
 * (test/infra). Asserted exact: one that is missing here fails the run, and so does one that is here without need.
 */
export const notMade: Readonly<Record<string, string>> = {
  'AWS::SecretsManager::RotationSchedule':
    'MiniStack rotates a secret when asked to, not by a schedule of the stack (test/domain/tokens has the rotation)',
};
