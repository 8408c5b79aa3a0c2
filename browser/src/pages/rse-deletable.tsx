import { getJson, getLines, getPage, path } from '../api/client.ts';
import type { DeletableReplicaLine, RseAttributes, RseLimits, UsageLine } from '../api/types.ts';
import { counted, humanBytes, readDate, shellWord } from '../format.ts';
import { useLoad } from '../load.ts';
import { Facts, Section } from '../ui/basics.tsx';
import { PagedTable } from '../ui/paged-table.tsx';
import { Command, SameAs } from '../ui/same-as.tsx';
import { Bytes, DidLink, State, Time } from '../ui/values.tsx';

const target = '/replicas/deletable';

/** Each replica that is counted costs a read. */
const countedReplicas = 500;

/** What may be deleted from an RSE, in the order in which it goes, and whether anybody does. */
export function RseDeletable({ rse }: { rse: string }) {
  return (
    <Section heading="What may be deleted now">
      <p class="hint">
        A replica stays when its last rule has ended: it can be read, and a new rule uses it again. But it may be
        deleted from then on, as may one that somebody has marked. The list has them in the order in which they go.
      </p>
      <Numbers rse={rse} />
      <PagedTable
        caption="Replicas that may be deleted from this RSE"
        listKey={`${target} ${rse}`}
        load={(cursor, limit, signal) =>
          getPage<DeletableReplicaLine>(target, limit, cursor, { query: { rse }, signal })
        }
        columns={[
          { head: 'State', cell: (replica) => <State of={replica.state} /> },
          { head: 'File', cell: ({ scope, name }) => <DidLink scope={scope} name={name} />, lead: true },
          { head: 'Size', cell: (replica) => <Bytes of={replica.bytes} />, number: true },
          { head: 'Goes', cell: ({ tombstone }) => <Tombstone of={tombstone} /> },
          { head: 'Free to go since', cell: (replica) => <Time of={replica.since} relative />, wide: true },
        ]}
        empty="Nothing may be deleted: rules keep everything that is here, or it never had a rule."
      />
      <SameAs curl={{ path: target, query: { rse, limit: 100 } }} />
    </Section>
  );
}

/** How much may be deleted, of how much, and what the reaper does about it. */
function Numbers({ rse }: { rse: string }) {
  const { value } = useLoad(`deletable ${rse}`, async (signal) => {
    const [deletable, usage, attributes, limits] = await Promise.all([
      getPage<DeletableReplicaLine>(target, countedReplicas, undefined, { query: { rse }, signal }),
      getLines<UsageLine>(path`/rses/${rse}/usage`, { signal }),
      getJson<RseAttributes>(path`/rses/${rse}/attr`, { signal }),
      getJson<RseLimits>(path`/rses/${rse}/limits`, { signal }),
    ]);
    return { deletable, usage, attributes, limits };
  });
  if (value === undefined) return null;
  const { deletable, usage, attributes, limits } = value;
  const all = usage.find(({ source }) => source === 'rucio');
  const reported = usage.find(({ source, free }) => source !== 'rucio' && free !== null);
  const more = deletable.next === undefined ? '' : 'more than ';
  const atOnce = deletable.rows.filter(goesAtOnce);
  return (
    <>
      <Facts
        of={[
          ['May be deleted', `${more}${describe(deletable.rows)}`],
          ['Of these at once', `${atOnce.length === countedReplicas ? more : ''}${describe(atOnce)}`],
          ['All replicas, with copies under way', `${counted(all?.files ?? 0, 'file')}, ${humanBytes(all?.used ?? 0)}`],
          ['Free', reported === undefined ? 'not reported' : <Bytes of={reported.free} />],
        ]}
      />
      <p>{describeReaper(attributes, limits)}</p>
      {attributes['reaper'] !== true && (
        <Command name="rucio" text={`rucio rse attribute set ${shellWord(rse)} --key reaper --value True`} />
      )}
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
