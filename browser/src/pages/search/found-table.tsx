import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

import { getJson, path } from '../../api/client.ts';
import { writeJson } from '../../api/json.ts';
import type { FoundDid } from '../../api/types.ts';
import { useLoad } from '../../load.ts';
import { placeUrl } from '../../router.ts';
import { taskUrl } from '../../tasks/task-links.tsx';
import { CopyButton, Pending } from '../../ui/basics.tsx';
import { Chosen, useChoice } from '../../ui/choose-rows.tsx';
import type { Column } from '../../ui/rows-table.tsx';
import { DidLink } from '../../ui/values.tsx';
import { columns } from './columns.tsx';

/** DIDs that a link to a form carries at most: more make an address that is too long for some programs. */
const maxLinked = 100;

/** Found DIDs, to tick for a rule or a dataset, and with the metadata of one beside them. */
export function FoundTable({ children }: { children: (columns: readonly Column<FoundDid>[]) => ComponentChildren }) {
  const choice = useChoice<FoundDid>(({ scope, name }) => `${scope}:${name}`);
  const [shown, setShown] = useState<FoundDid>();
  const opener = useRef<HTMLButtonElement>(null);
  const metadata: Column<FoundDid> = {
    head: 'Metadata',
    tight: true,
    wide: true,
    cell: (row) => {
      const isShown = shown?.scope === row.scope && shown.name === row.name;
      return (
        <button
          type="button"
          class="quiet small"
          aria-expanded={isShown}
          aria-label={`Show metadata of ${row.scope}:${row.name}`}
          onClick={({ currentTarget }) => {
            opener.current = currentTarget;
            setShown(isShown ? undefined : row);
          }}
        >
          Show
        </button>
      );
    },
  };
  const close = () => {
    setShown(undefined);
    opener.current?.focus();
  };
  const dids = choice.rows.map(({ scope, name }) => `${scope}:${name}`).join('\n');
  const isLinked = choice.rows.length <= maxLinked;
  return (
    <>
      <Chosen of={choice} noun="DID">
        {isLinked && (
          <>
            <a class="button" href={placeUrl(['new-rule'], { did: dids })}>
              New rule
            </a>
            <a class="button" href={taskUrl('attach', { members: dids })}>
              Attach
            </a>
          </>
        )}
        <CopyButton text={dids} label="Copy their names" />
      </Chosen>
      <div class={shown === undefined ? '' : 'with-panel'}>
        <div>{children([choice.column, ...columns, metadata])}</div>
        {shown !== undefined && <MetadataPanel of={shown} onClose={close} />}
      </div>
    </>
  );
}

/** The metadata of one DID, to compare with those of others in the list. */
function MetadataPanel({ of: { scope, name }, onClose }: { of: FoundDid; onClose: () => void }) {
  const target = path('/dids/**:scope_name/meta', { did: { scope, name } });
  const { value, error, reload } = useLoad(target, (signal) => getJson(target, { query: { plugin: 'ALL' }, signal }));
  useEffect(() => {
    const leave = (event: KeyboardEvent) => {
      if (event.key === 'Escape') onClose();
    };
    addEventListener('keydown', leave);
    return () => removeEventListener('keydown', leave);
  }, []);
  const entries = Object.entries(value ?? {}).filter(([, item]) => item !== null && item !== '');
  return (
    <aside class="panel" aria-label={`Metadata of ${scope}:${name}`}>
      <div class="section-head">
        <h3>
          <DidLink scope={scope} name={name} />
        </h3>
        <button type="button" class="quiet" onClick={onClose}>
          Close
        </button>
      </div>
      <Pending of={{ value, error, reload }} />
      <dl>
        {entries.map(([key, item]) => (
          <div key={key}>
            <dt>
              <bdi>{key}</bdi>
            </dt>
            <dd>
              <bdi class="name">{typeof item === 'string' ? item : writeJson(item)}</bdi>
            </dd>
          </div>
        ))}
      </dl>
    </aside>
  );
}
