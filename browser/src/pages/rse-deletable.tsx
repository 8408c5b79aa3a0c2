import { getJson, getPage, path } from '../api/client.ts';
import type { DeletableReplicaLine, RseAttributes } from '../api/types.ts';
import { readDate } from '../format.ts';
import { useLoad } from '../load.ts';
import { Section } from '../ui/basics.tsx';
import { PagedTable } from '../ui/paged-table.tsx';
import { SameAs } from '../ui/same-as.tsx';
import { Bytes, DidLink, State, Time } from '../ui/values.tsx';

const target = '/replicas/deletable';

/** What may be deleted from an RSE, in the order in which it goes, and whether anybody does. */
export function RseDeletable({ rse }: { rse: string }) {
  const attributes = useLoad(`attr ${rse}`, (signal) => getJson<RseAttributes>(path`/rses/${rse}/attr`, { signal }));
  return (
    <Section heading="What may be deleted now">
      <p class="hint">
        Replicas whose last rule has ended, or that were marked to go, in the order in which they go.{' '}
        {attributes.value !== undefined && describeReaper(attributes.value)}
      </p>
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

/** The reaper takes an RSE only if its attribute says so (docs/how-to/free-space.md). */
function describeReaper({ reaper }: RseAttributes): string {
  return reaper === true
    ? 'The reaper may delete them from the storage.'
    : 'They stay until somebody deletes them: the attribute “reaper” is not set here.';
}

/** A replica with the tombstone 1970-01-01 goes at once, another one when space is needed. */
function Tombstone({ of: tombstone }: { of: string }) {
  if (readDate(tombstone)?.getTime() === 0) return 'at once';
  return (
    <>
      if space is missing, as of <Time of={tombstone} />
    </>
  );
}
