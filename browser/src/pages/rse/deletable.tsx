import { getJson, getLines, getPage, type PageOf, path } from '../../api/client.ts';
import type { DeletableReplicaLine, RseAttributes, RseLimits, UsageLine } from '../../api/types.ts';
import { counted, humanBytes, readDate, shellWord } from '../../format.ts';
import { useLoad } from '../../load.ts';
import { placeUrl } from '../../router.ts';
import { Facts, Section } from '../../ui/basics.tsx';
import { PagedTable } from '../../ui/paged-table.tsx';
import { Command, SameAs } from '../../ui/same-as.tsx';
import { Bytes, Time } from '../../ui/values.tsx';
import { replicaColumns } from './replica-columns.tsx';

const target = '/replicas/deletable';

/** Each replica that is counted costs a read. */
const countedReplicas = 500;

/** Deletable replicas of an RSE, in the order of deletion, and whether a reaper is switched on. */
export function RseDeletable({ rse }: { rse: string }) {
  const known = useKnown(rse);
  return (
    <Section heading="What may be deleted now">
      <p class="hint">
        A replica stays when its last rule has ended: it can be read, and a new rule uses it again. But it may be
        deleted from then on, as may one that somebody has marked. A file that never had a rule stays, too.
      </p>
      {known !== undefined && <Numbers rse={rse} of={known} />}
      {known?.deletable.rows.length !== 0 && (
        <PagedTable
          caption="Replicas that may be deleted from this RSE"
          listKey={`${target} ${rse}`}
          load={(cursor, limit, signal) => getPage(target, limit, cursor, { query: { rse }, signal })}
          columns={[
            ...replicaColumns,
            { head: 'Goes', cell: ({ tombstone }) => <Tombstone of={tombstone} /> },
            { head: 'Free to go since', cell: (replica) => <Time of={replica.since} relative />, wide: true },
          ]}
          empty="Nothing may be deleted now."
        />
      )}
      <SameAs curl={{ path: target, query: { rse, limit: 100 } }} />
    </Section>
  );
}

/** Data that tell how much may be deleted, and whether a reaper is switched on. */
interface Known {
  readonly deletable: PageOf<DeletableReplicaLine>;
  readonly usage: readonly UsageLine[];
  readonly attributes: RseAttributes;
  readonly limits: RseLimits;
}

function useKnown(rse: string): Known | undefined {
  return useLoad(`deletable ${rse}`, async (signal) => {
    const [deletable, usage, attributes, limits] = await Promise.all([
      getPage(target, countedReplicas, undefined, { query: { rse }, signal }),
      getLines(path('/rses/:rse/usage', { rse }), { signal }),
      getJson(path('/rses/:rse/attr', { rse }), { signal }),
      getJson(path('/rses/:rse/limits', { rse }), { signal }),
    ]);
    return { deletable, usage, attributes, limits };
  }).value;
}

/** How much may be deleted, of how much, and what the reaper does about it. */
function Numbers({ rse, of: { deletable, usage, attributes, limits } }: { rse: string; of: Known }) {
  const all = usage.find(({ source }) => source === 'rucio');
  const reported = usage.find(({ source, free }) => source !== 'rucio' && free !== null);
  const more = deletable.next === undefined ? '' : 'more than ';
  const total = [
    'All replicas, with copies under way',
    `${counted(all?.files ?? 0, 'file')}, ${humanBytes(all?.used ?? 0)}`,
  ] as const;
  const free = ['Free', reported === undefined ? 'not reported' : <Bytes of={reported.free} />] as const;
  const reaper = (
    <>
      <p>{describeReaper(attributes, limits)}</p>
      {attributes['reaper'] !== true && (
        <Command name="rucio" text={`rucio rse attribute set ${shellWord(rse)} --key reaper --value True`} />
      )}
    </>
  );
  if (deletable.rows.length === 0) {
    return (
      <>
        <p>
          <strong>Nothing may be deleted now.</strong> Each of{' '}
          <a href={placeUrl(['rse', rse], { tab: 'replicas' })}>all replicas</a> here is kept by a rule, never had one,
          or is still needed as a source.
        </p>
        <Facts of={[total, free]} />
        <details>
          <summary>Who deletes here</summary>
          {reaper}
        </details>
      </>
    );
  }
  const atOnce = deletable.rows.filter(goesAtOnce);
  return (
    <>
      <Facts
        of={[
          ['May be deleted', `${more}${describe(deletable.rows)}`],
          ['Of these at once', `${atOnce.length === countedReplicas ? more : ''}${describe(atOnce)}`],
          total,
          free,
        ]}
      />
      {reaper}
    </>
  );
}

function describe(replicas: readonly DeletableReplicaLine[]): string {
  const bytes = replicas.reduce((sum, replica) => sum + Number(replica.bytes ?? 0), 0);
  return `${counted(replicas.length, 'file')}, ${humanBytes(bytes)}`;
}

/** The reaper takes an RSE only if its attribute says so (docs/how-to/free-space.md). */
function describeReaper({ reaper, greedyDeletion }: RseAttributes, { MinFreeSpace: wanted }: RseLimits): string {
  if (reaper !== true) {
    return 'They stay until somebody deletes them: the attribute “reaper” is not set here. The reaper of the service has to be switched on as well.';
  }
  const taken =
    greedyDeletion === true
      ? 'all of them (attribute “greedyDeletion”)'
      : wanted === undefined
        ? 'those that go at once; for more, set the limit “MinFreeSpace”'
        : `those that go at once, and others in this order until ${humanBytes(wanted)} are free`;
  return `Where the reaper of the service is switched on, it deletes ${taken}.`;
}

/** A replica with the tombstone 1970-01-01 goes at once, another one when space is needed. */
const goesAtOnce = ({ tombstone }: Pick<DeletableReplicaLine, 'tombstone'>) => readDate(tombstone)?.getTime() === 0;

function Tombstone({ of: tombstone }: { of: string }) {
  if (goesAtOnce({ tombstone })) return 'at once';
  return (
    <>
      if space is missing, as of <Time of={tombstone} />
    </>
  );
}
