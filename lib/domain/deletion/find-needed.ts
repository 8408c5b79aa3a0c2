import { ReplicaState } from '../../contract/schemas/states.ts';
import { mapLimited } from '../../parallel.ts';
import { splitIntoChunks } from '../../rows/split-into-chunks.ts';
import type { Table } from '../../store/batches/table.ts';
import { type FileDid, getFiles } from '../../store/entities/did.ts';
import { listChildren } from '../../store/entities/edge.ts';
import { findArchives } from '../replicas/find-archives.ts';
import { RulesAbove } from '../rules/engine/rules-above.ts';
import { formatDid } from '../values/format-did.ts';
import { hasReadableCopy, isLastCopy } from './is-deletable.ts';
import { ReleaseJudge } from './release-judge.ts';

/** The most files whose rules are looked up in parallel. */
const maxParallelFiles = 16;

/** The most constituents of an archive that are looked at together. */
const constituentsPerStep = 100;

/** Files whose replicas on an RSE a reaper has looked at, by `scope:name`. */
export interface Needs {
  /** Files whose replica must stay: they would be lost although a rule is about them, or nobody who may has given them up. */
  readonly needed: ReadonlySet<string>;
  /** Files that their owners have given up. */
  readonly letGo: ReadonlySet<string>;
}

/**
 * Finds which of some files must keep their replicas on an RSE. Those that would be lost although a rule is about them: on the
 * file, on a collection above it, or on a file inside of an archive, placed or not. And those that only rules of others have
 * freed: the maker of a replica may let it go while there is another copy, and the last copy only the owner of the file.
 *
 * Costs two queries for each file that has no other copy, for each collection above and for each constituent of an archive, and
 * a read for each account whose rules have ended, and for each scope.
 *
 * @param table A view of the latest committed state.
 */
export async function findNeeded(table: Table, files: readonly FileDid[], rseId: string, now: number): Promise<Needs> {
  const releases = new ReleaseJudge(table);
  const rules = new RulesAbove(table);
  const needed = new Set<string>();
  const letGo = new Set<string>();
  await mapLimited(files, maxParallelFiles, async (file) => {
    const replica = file.replicas.get(rseId);
    // A marked replica was judged when it was marked.
    if (replica === undefined || replica.state === ReplicaState.BEING_DELETED) return;
    const isLast = isLastCopy(file, rseId, now);
    const release = await releases.judge(file, replica);
    if (release === 'owner') letGo.add(formatDid(file));
    // A bad one of several is nobody's loss.
    const isBad = replica.state === ReplicaState.BAD && !isLast;
    const isTheirs = (release === 'nobody' && !isBad) || (release === 'maker' && isLast);
    if (isTheirs || (isLast && (await isAsked(table, rules, file, now)))) needed.add(formatDid(file));
  });
  return { needed, letGo };
}

/** Whether a rule is about a file of which there is no other copy, or about one that is in it alone. */
async function isAsked(table: Table, rules: RulesAbove, file: FileDid, now: number): Promise<boolean> {
  if ((await rules.findRuleIds(file)).size > 0) return true;
  if (file.isArchive !== true) return false;
  for await (const edges of splitIntoChunks(listChildren(table, file), constituentsPerStep)) {
    const constituents = await getFiles(
      table,
      edges.map(({ child }) => child),
    );
    const lost = constituents.filter((one) => !hasReadableCopy(one, now));
    const archives = await findArchives(table, lost);
    const inNoOther = lost.filter((one) =>
      (archives.get(formatDid(one)) ?? []).every(
        (archive) => formatDid(archive) === formatDid(file) || !hasReadableCopy(archive, now),
      ),
    );
    const asked = await mapLimited(inNoOther, maxParallelFiles, async (one) => (await rules.findRuleIds(one)).size > 0);
    if (asked.includes(true)) return true;
  }
  return false;
}
