/**
 * Types of resources that the emulator accepts but does not create; test/infra tests them on the template. The run fails if a
 * type is missing here or listed without need.
 */
export const notMade: Readonly<Record<string, string>> = {
  'AWS::SecretsManager::RotationSchedule':
    'MiniStack rotates a secret when asked to, not by a schedule of the stack (test/domain/tokens has the rotation)',
};
