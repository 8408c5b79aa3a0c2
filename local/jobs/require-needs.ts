import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

import type { JobNeed, JobPlan } from './plan.ts';

/** Who gets mails, and the program that sends them. */
interface Mail {
  readonly mailTo?: string | undefined;
  readonly sendmail?: string | undefined;
}

/** The program that sends mails on most systems. */
export const defaultSendmail = '/usr/sbin/sendmail';

/**
 * Refuses jobs that could not run: a server says at its start what it would otherwise say at night.
 *
 * @throws Error that names the job and what is missing.
 */
export function requireNeeds(plans: readonly JobPlan[], { mailTo, sendmail = defaultSendmail }: Mail): void {
  if (mailTo !== undefined && !may(sendmail, constants.X_OK)) {
    throw new Error(
      `No mail can be sent to ${mailTo}: there is no program ${sendmail} that this user may run. Name one by \`--sendmail\`, ` +
        'or leave out `--mail-to`.',
    );
  }
  for (const { name, needs } of plans) {
    for (const need of needs) {
      const lack = findLack(need);
      if (lack !== undefined) throw new Error(`The job \`${name}\` cannot run: ${lack}`);
    }
  }
}

/** What a need lacks, in words; undefined: nothing. */
function findLack({ path, use }: JobNeed): string | undefined {
  if (use === 'write') return findLackOfFolder(nearest(resolve(path)), `the folder ${path}`);
  if (!existsSync(path)) return `there is no ${use === 'list' ? 'folder' : 'file'} ${path}.`;
  if (use === 'list' && !statSync(path).isDirectory()) return `${path} is no folder.`;
  const mode = use === 'list' ? constants.R_OK | constants.X_OK : constants.R_OK;
  return may(path, mode) ? undefined : `this user may not read ${path}.`;
}

/** The command makes the folder: what there is of its path takes it. */
function findLackOfFolder(existing: string, wanted: string): string | undefined {
  if (!statSync(existing).isDirectory()) return `${wanted} cannot be made, since ${existing} is no folder.`;
  if (may(existing, constants.W_OK | constants.X_OK)) return undefined;
  return `${wanted} cannot be written, since this user may not write into ${existing}.`;
}

const nearest = (path: string): string => (existsSync(path) ? path : nearest(dirname(path)));

function may(path: string, mode: number): boolean {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return false;
  }
}
