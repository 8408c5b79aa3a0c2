import { validateRequest } from '../../src/validation/validate.ts';

/** Validates a request; returns the type and message of the error, or `accepted`. */
export function refusal(operation: string, input: unknown): string {
  try {
    validateRequest(operation, JSON.parse(JSON.stringify(input)));
    return 'accepted';
  } catch (error) {
    if (error instanceof Error) return `${error.name}: ${error.message}`;
    throw error;
  }
}

/** The message of a ValidationException. */
export const validationError = (message: string) => `ValidationException: ${message}`;

/** The message of a ValidationException for contradictory values. */
export const problem = (message: string) => validationError(`One or more parameter values were invalid: ${message}`);

/** The message for violated constraints, each with its value, path and constraint. */
export const violations = (...found: readonly (readonly [value: string, path: string, constraint: string])[]) =>
  validationError(
    `${found.length} validation error${found.length === 1 ? '' : 's'} detected: ` +
      found
        .map(([value, path, constraint]) => `Value ${value} at '${path}' failed to satisfy constraint: ${constraint}`)
        .join('; '),
  );
