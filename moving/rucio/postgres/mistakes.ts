import { UsageError } from '../source.ts';

/** Advice for the errors of a connection, by the code of PostgreSQL or of the system. */
const remedies: Readonly<Record<string, string>> = {
  '28P01': 'The user or the password is wrong.',
  '28000': 'There is no such user there, or pg_hba.conf of the server does not let it in.',
  '3D000': 'There is no database of that name there.',
  '42501': 'The user may not read the tables: grant it USAGE on the schema, and SELECT on all its tables.',
  '53300': 'The server has too many connections: use fewer with --parallel 1.',
  ECONNREFUSED: 'Nobody listens there: check host and port.',
  ECONNRESET: 'The server ended the connection: check host and port, and whether it wants TLS (?sslmode=require).',
  ENOTFOUND: 'There is no host of that name.',
  EAI_AGAIN: 'The name of the host cannot be resolved now.',
  EHOSTUNREACH: 'The host cannot be reached.',
  ETIMEDOUT: 'The host does not answer.',
};

/** The error as a mistake of the user, if it is one of those that are known. */
export function toUsageError(error: unknown, address: string): unknown {
  if (!(error instanceof Error) || error instanceof UsageError) return error;
  const code = 'code' in error ? String(error.code) : '';
  const remedy = remedies[code] ?? remedyOfText(error.message);
  if (remedy === undefined) return error;
  return new UsageError(`The database at ${address} cannot be read. ${remedy}`, { cause: error });
}

/** Errors of the driver that have no code. */
function remedyOfText(message: string): string | undefined {
  if (message.includes('does not support SSL')) return 'The server has no TLS: leave out sslmode.';
  if (message.includes('timeout')) return 'The host does not answer in time.';
  if (message.includes('password must be a string'))
    return 'The server wants a password: name it in the URL or PGPASSWORD.';
  return undefined;
}
