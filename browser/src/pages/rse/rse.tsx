import { getJson, getPage, path } from '../../api/client.ts';
import type { QueryAt } from '../../api/contract.ts';
import { writeJson } from '../../api/json.ts';
import type { DistanceLine, RseSettings } from '../../api/types.ts';
import { shellWord } from '../../format.ts';
import { useLoad } from '../../load.ts';
import type { PageProps } from '../../page.ts';
import { placeUrl } from '../../router.ts';
import { TaskLinks } from '../../tasks/task-links.tsx';
import { Empty, Facts, PageHead, Pending, Section } from '../../ui/basics.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { PagedTable } from '../../ui/paged-table.tsx';
import { SameAs } from '../../ui/same-as.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { AccountLink, Bytes, Count, RseLink, State } from '../../ui/values.tsx';
import { RseContent } from './content.tsx';
import { RseDeletable } from './deletable.tsx';
import { RseReplicas } from './replicas.tsx';
import { RseUsage } from './usage.tsx';

const tabs = [
  { id: 'space', label: 'Space' },
  { id: 'replicas', label: 'All replicas' },
  { id: 'content', label: 'What rules keep' },
  { id: 'deletable', label: 'What may be deleted' },
  { id: 'settings', label: 'Settings' },
  { id: 'distances', label: 'Distances' },
] as const;

/** The tasks that are offered on the page of an RSE. */
const rseTasks = [
  'edit-rse',
  'add-protocol',
  'remove-protocol',
  'set-rse-attribute',
  'remove-rse-attribute',
  'set-rse-limit',
  'set-distance',
  'declare-bad',
  'recover-replicas',
  'add-replicas',
  'delete-replicas',
  'delete-rse',
] as const;

/** One RSE. */
export default function RsePage({ parts: [rse = ''], query }: PageProps) {
  const target = path('/rses/:rse', { rse });
  const { value, error, reload } = useLoad(target, (signal) => getJson(target, { signal }));
  const present = tabs.find(({ id }) => id === query.get('tab'))?.id ?? 'space';
  return (
    <>
      <PageHead
        title={rse}
        heading={<bdi class="name">{rse}</bdi>}
        lead={value !== undefined && <Lead of={value} />}
        actions={
          value !== undefined && (
            <a class="button" href={placeUrl(['requests'], { dst: rse })}>
              Copies under way
            </a>
          )
        }
      />
      <Pending of={{ value, error, reload }} />
      {value !== undefined && (
        <>
          <Tabs of={tabs} present={present} parts={['rse', rse]} label="Parts of this RSE" />
          {present === 'space' && <Space rse={rse} />}
          {present === 'replicas' && <RseReplicas rse={rse} />}
          {present === 'content' && <RseContent rse={rse} />}
          {present === 'deletable' && <RseDeletable rse={rse} />}
          {present === 'settings' && <Settings rse={rse} of={value} />}
          {present === 'distances' && <Distances rse={rse} />}
          {present === 'settings' && (
            <Section heading="Do">
              <TaskLinks of={rseTasks} given={{ rse }} />
            </Section>
          )}
          <SameAs label="This RSE" rucio={`rucio rse show ${shellWord(rse)}`} curl={{ path: target }} />
        </>
      )}
    </>
  );
}

function Lead({ of: settings }: { of: RseSettings }) {
  const may = (isAllowed: boolean, what: string) => (
    <State of={isAllowed ? 'OK' : 'UNAVAILABLE'} label={isAllowed ? what : `no ${what}`} />
  );
  return (
    <span class="actions">
      {settings.rse_type.toLowerCase()}
      {may(settings.availability_read, 'read')}
      {may(settings.availability_write, 'write')}
      {may(settings.availability_delete, 'delete')}
    </span>
  );
}

function Space({ rse }: { rse: string }) {
  const target = path('/rses/:rse/accounts/usage', { rse });
  return (
    <>
      <RseUsage rse={rse} />
      <Section heading="By account">
        <PagedTable
          caption="Usage and quota by account"
          listKey={target}
          load={(cursor, limit, signal) => getPage(target, limit, cursor, { signal })}
          columns={[
            { head: 'Account', cell: (row) => <AccountLink account={row.account} /> },
            {
              head: 'Files',
              cell: (row) => <Count of={row.used_files} />,
              number: true,
              wide: true,
              sortBy: (row) => row.used_files,
            },
            {
              head: 'Used',
              cell: (row) => <Bytes of={row.used_bytes} />,
              number: true,
              sortBy: (row) => row.used_bytes,
            },
            {
              head: 'Quota',
              cell: (row) => <Bytes of={row.quota_bytes} />,
              number: true,
              sortBy: (row) => row.quota_bytes,
            },
          ]}
          empty="No account has usage or quota here."
        />
      </Section>
    </>
  );
}

function Settings({ rse, of: settings }: { rse: string; of: RseSettings }) {
  const attributes = useLoad(`attr ${rse}`, (signal) => getJson(path('/rses/:rse/attr', { rse }), { signal }));
  return (
    <>
      <div class="columns">
        <Section heading="Attributes">
          {attributes.error !== undefined && <ErrorNote error={attributes.error} />}
          <Facts
            of={Object.entries(attributes.value ?? {})
              .toSorted(([a], [b]) => (a < b ? -1 : 1))
              .map(([key, value]) => [key, <bdi class="name">{String(value)}</bdi>])}
          />
          <SameAs
            rucio={`rucio rse attribute list ${shellWord(rse)}`}
            curl={{ path: path('/rses/:rse/attr', { rse }) }}
          />
        </Section>
        <Section heading="Behaviour">
          <Facts
            of={[
              ['Paths', settings.deterministic ? 'follow from the names' : 'are registered'],
              ['Algorithm', <code>{String(settings.lfn2pfn_algorithm)}</code>],
              ['Checksums', settings.verify_checksum ? 'verified' : 'not verified'],
              ['Signed URLs', settings.sign_url === null ? 'none' : String(settings.sign_url)],
              ['Staging area', settings.staging_area ? 'yes' : 'no'],
              ['Volatile', settings.volatile ? 'yes' : 'no'],
            ]}
          />
        </Section>
      </div>
      <Section heading="Protocols">
        {settings.protocols.length === 0 && <Empty>There is none: no client can reach files here.</Empty>}
        {settings.protocols.map((protocol) => (
          <details key={`${protocol.scheme} ${protocol.hostname} ${protocol.port}`}>
            <summary class="name">
              {protocol.scheme}://{protocol.hostname}:{protocol.port}
              {protocol.prefix}
            </summary>
            <pre>{writeJson({ impl: protocol.impl, domains: protocol.domains }, 2)}</pre>
          </details>
        ))}
      </Section>
    </>
  );
}

function Distances({ rse }: { rse: string }) {
  const list = (heading: string, query: QueryAt<'GET', '/requests/metrics'>, other: (row: DistanceLine) => string) => (
    <Section heading={heading}>
      <PagedTable
        caption={heading}
        listKey={`${rse} ${heading}`}
        load={(cursor, limit, signal) => getPage('/requests/metrics', limit, cursor, { query, signal })}
        columns={[
          { head: 'RSE', cell: (row) => <RseLink rse={other(row)} /> },
          { head: 'Distance', cell: (row) => row.distance ?? '', number: true, sortBy: (row) => row.distance },
        ]}
        empty="No distance is set. Files are copied all the same; other sources come first."
      />
    </Section>
  );
  return (
    <div class="columns">
      {list(`From ${rse} to`, { src_rse: rse }, (row) => row.dst_rse)}
      {list(`To ${rse} from`, { dst_rse: rse }, (row) => row.src_rse)}
    </div>
  );
}
