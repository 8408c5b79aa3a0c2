import { readOptions } from '../../../examples/check-storage/options.ts';
import { type Options, parseOptions, type Values } from '../../option.ts';
import type { JobCommand } from '../plan.ts';
import { backupOptions } from './backup-options.ts';
import { reportOptions } from './report-options.ts';

/** The commands that may be jobs, each with what its options need. */
export const jobCommands: Readonly<Record<string, JobCommand>> = {
  backup: reading(backupOptions, ({ to }) => [{ path: to, use: 'write' }]),
  'check-storage': (args) => {
    const options = readOptions([...args], {});
    if (options === undefined) throw new Error(helpIsNone);
    const { folder, listing } = options;
    if (folder !== undefined) return [{ path: folder, use: 'list' }];
    return listing === undefined ? [] : [{ path: listing, use: 'read' }];
  },
  report: reading(reportOptions, ({ to }) => {
    if (to === undefined) throw new Error('`--to <folder>` is missing.');
    return [{ path: to, use: 'write' }];
  }),
};

const helpIsNone = 'a job has nobody to show its help.';

function reading<O extends Options>(options: O, needs: (values: Values<O>) => ReturnType<JobCommand>): JobCommand {
  return (args) => {
    const values = parseOptions(options, args);
    if (values === undefined) throw new Error(helpIsNone);
    return needs(values);
  };
}
