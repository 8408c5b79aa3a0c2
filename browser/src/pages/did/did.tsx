import { getJson, path } from '../../api/client.ts';
import type { Did } from '../../api/types.ts';
import { shellWord } from '../../format.ts';
import { useLoad } from '../../load.ts';
import type { PageProps } from '../../page.ts';
import { placeUrl } from '../../router.ts';
import { TaskLinks } from '../../tasks/task-links.tsx';
import { CopyButton, PageHead, Pending, Section } from '../../ui/basics.tsx';
import { lazy } from '../../ui/lazy.tsx';
import { SameAs } from '../../ui/same-as.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { TypeMark } from '../../ui/values.tsx';
import { DidActivity } from './activity.tsx';
import { AtAGlance } from './at-a-glance.tsx';
import { DidContent } from './content.tsx';
import { DidMetadata } from './metadata.tsx';
import { DidReplicas } from './replicas.tsx';
import { DidRules } from './rules.tsx';

const GetFiles = lazy(() => import('./get-files/get-files.tsx').then((module) => module.GetFiles));

const allTabs = [
  { id: 'content', label: 'Content' },
  { id: 'replicas', label: 'Replicas' },
  { id: 'get', label: 'Get the files' },
  { id: 'rules', label: 'Rules' },
  { id: 'metadata', label: 'Metadata' },
  { id: 'activity', label: 'Parents and activity' },
] as const;

/** One DID. */
export default function DidPage({ parts, query }: PageProps) {
  const [scope = '', name = ''] = parts;
  const target = path('/dids/**:scope_name', { did: { scope, name } });
  const did = useLoad(target, (signal) => getJson(target, { signal }));
  const { value, error, reload } = did;
  const tabs = allTabs
    .filter(({ id }) => id !== 'content' || value?.type !== 'FILE')
    .map(({ id, label }) => ({ id, label: id === 'content' && value?.type === 'DATASET' ? 'Files' : label }));
  const present = tabs.find(({ id }) => id === query.get('tab'))?.id ?? tabs[0]?.id ?? 'replicas';
  return (
    <>
      <PageHead
        title={`${scope}:${name}`}
        heading={
          <span class="did">
            <bdi class="scope">{scope}:</bdi>
            <bdi>{name}</bdi>
          </span>
        }
        lead={value !== undefined && <TypeMark of={value.type} />}
        actions={
          <>
            <CopyButton text={`${scope}:${name}`} label="Copy the name" />
            <a class="button" href={placeUrl(['new-rule'], { did: `${scope}:${name}` })}>
              Add a rule
            </a>
          </>
        }
      />
      <Pending of={{ value, error, reload }} />
      {value !== undefined && (
        <>
          <AtAGlance did={value} />
          <Tabs of={tabs} present={present} parts={['did', scope, name]} label="Parts of this DID" />
          <TabContent tab={present} did={value} />
          <DidTasks did={value} />
          <SameAs label="This DID" rucio={`rucio did show ${shellWord(`${scope}:${name}`)}`} curl={{ path: target }} />
        </>
      )}
    </>
  );
}

function DidTasks({ did: { scope, name, type, open } }: { did: Did }) {
  const ofCollections = open ? (['attach', 'detach', 'close'] as const) : (['reopen'] as const);
  const ids = [...(type === 'FILE' ? [] : ofCollections), 'set-metadata', 'delete-did'] as const;
  return (
    <Section heading="Do">
      <TaskLinks of={ids} given={{ did: `${scope}:${name}` }} />
    </Section>
  );
}

function TabContent({ tab, did }: { tab: string; did: Did }) {
  switch (tab) {
    case 'content':
      return <DidContent did={did} />;
    case 'get':
      return <GetFiles did={did} />;
    case 'rules':
      return <DidRules did={did} />;
    case 'metadata':
      return <DidMetadata did={did} />;
    case 'activity':
      return <DidActivity did={did} />;
    default:
      return <DidReplicas did={did} />;
  }
}
