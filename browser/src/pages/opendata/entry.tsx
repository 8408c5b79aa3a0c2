import { getJson, path } from '../../api/client.ts';
import type { AnswerAt } from '../../api/contract.ts';
import { writeJson } from '../../api/json.ts';
import { counted } from '../../format.ts';
import { useLoad } from '../../load.ts';
import { placeUrl } from '../../router.ts';
import { CopyButton, Facts, PageHead, Pending, Section } from '../../ui/basics.tsx';
import { SameAs } from '../../ui/same-as.tsx';
import { Bytes, Count, DidLink, RuleLink, State, Time } from '../../ui/values.tsx';

/** Files that are shown. */
const shownFiles = 200;

type Entry = AnswerAt<'GET', '/opendata/dids/**:scope_name'>;

/** One entry of open data, as a visitor sees it. */
export function OpendataEntry({ did }: { did: { readonly scope: string; readonly name: string } }) {
  const target = path('/opendata/dids/**:scope_name', { did });
  const query = { meta: '1', files: '1' } as const;
  const { value, error, reload } = useLoad(target, (signal) => getJson(target, { query, signal }));
  return (
    <>
      <PageHead
        title={`${did.scope}:${did.name} · Open data`}
        heading="Open data"
        lead={<DidLink scope={did.scope} name={did.name} />}
        actions={
          <a class="button" href={placeUrl(['did', did.scope, did.name], { tab: 'get' })}>
            Get the files
          </a>
        }
      />
      <Pending of={{ value, error, reload }} />
      {value !== undefined && (
        <>
          <Facts
            of={[
              ['State', <State of={value.state} />],
              ['DOI', value.doi ? <bdi class="name">{value.doi}</bdi> : <span class="absent">none</span>],
              ['Record', value.record_id ?? <span class="absent">none</span>],
              ['Rule', value.rule === null ? <span class="absent">none</span> : <RuleLink id={value.rule} />],
              ['Files', <Count of={value.files_summary?.length} />],
              ['Size', <Bytes of={value.files_summary?.bytes} />],
              ['Changed', <Time of={value.updated_at} />],
            ]}
          />
          <Files of={value} />
          <Section heading="Metadata">
            <Facts
              of={Object.entries(value.meta ?? {}).map(([key, item]) => [
                key,
                <bdi class="name">{typeof item === 'string' ? item : writeJson(item)}</bdi>,
              ])}
            />
          </Section>
        </>
      )}
      <SameAs curl={{ path: target, query }} />
    </>
  );
}

function Files({ of: { files = [], files_summary: summary } }: { of: Entry }) {
  return (
    <Section heading="Files">
      {(summary?.replicas_missing ?? 0) > 0 && (
        <p class="note" data-tone="waiting">
          {counted(summary?.replicas_missing ?? 0, 'file')} without a URL: the option <code>rse_expression</code> of the
          section <code>opendata</code> says from which RSEs they are given.
        </p>
      )}
      <ul class="plain-list">
        {files.slice(0, shownFiles).map(({ scope, name, bytes, uris: [uri] }) => (
          <li key={`${scope}:${name}`}>
            <DidLink scope={scope} name={name} /> <Bytes of={bytes} />{' '}
            {uri !== undefined && (
              <>
                <bdi class="name url">{uri}</bdi> <CopyButton text={uri} />
              </>
            )}
          </li>
        ))}
      </ul>
      {files.length > shownFiles && <p class="hint">These are the first {shownFiles}.</p>}
    </Section>
  );
}
