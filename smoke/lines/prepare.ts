import { failed, type Line, ok, readLogs } from '../line.ts';
import { scope } from '../own-things.ts';

/** Makes what the other lines need. */
export const prepare: Line = {
  name: 'prepare',
  tries: 'two RSEs, a dataset of 1,000 files, and a limit are made',
  advice: `The account needs the attribute admin. ${readLogs}`,
  needs: 'token',
  async run({ things }) {
    await things.make();
    return ok(`${things.source}, ${things.target}, ${scope}:${things.dataset} with ${things.files.length} files`);
  },
};

/** Deletes it again. */
export const cleanUp: Line = {
  name: 'clean-up',
  tries: 'what was made is deleted',
  advice: 'Delete it by hand: files first (DELETE /replicas), then the RSEs (docs/operations/first-hour.md).',
  needs: 'token',
  async run({ things }) {
    const left = await things.delete();
    if (left.length > 0) return failed(`not deleted: ${left.join('; ')}`);
    return ok(
      `the datasets expire within five minutes; the scope ${scope} stays for the next run, since Rucio deletes no scope`,
    );
  },
};
