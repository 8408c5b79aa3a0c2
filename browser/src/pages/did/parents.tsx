import { getLines, getPage, path, send } from '../../api/client.ts';
import { session } from '../../api/session.ts';
import type { Did } from '../../api/types.ts';
import { shellWord } from '../../format.ts';
import { useAction, useLoad } from '../../load.ts';
import { Pending, Section } from '../../ui/basics.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { PagedTable } from '../../ui/paged-table.tsx';
import { SameAs } from '../../ui/same-as.tsx';
import { AccountLink, DidLink, TypeMark } from '../../ui/values.tsx';

/** Parents of a DID. */
export function DidParents({ did: { scope, name } }: { did: Did }) {
  const target = path('/dids/**:scope_name/parents', { did: { scope, name } });
  return (
    <Section heading="Parents">
      <PagedTable
        caption="Collections that hold this DID"
        listKey={target}
        load={(cursor, limit, signal) => getPage(target, limit, cursor, { signal })}
        columns={[
          { head: 'Name', cell: (row) => <DidLink scope={row.scope} name={row.name} />, lead: true },
          { head: 'Type', cell: (row) => <TypeMark of={row.type} /> },
        ]}
        empty="No dataset or container holds this DID."
      />
      <SameAs rucio={`rucio did list --parent ${shellWord(`${scope}:${name}`)}`} curl={{ path: target }} />
    </Section>
  );
}

/** Who follows a DID, and a button to do so oneself. */
export function Followers({ did: { scope, name } }: { did: Did }) {
  const target = path('/dids/**:scope_name/follow', { did: { scope, name } });
  const account = session()?.account ?? '';
  const { value, error, reload } = useLoad(target, (signal) => getLines(target, { query: { limit: 100 }, signal }));
  const { error: failed, run } = useAction();
  const isFollowing = value?.some(({ user }) => user === account) ?? false;
  const change = async () => {
    if (await run(() => send(isFollowing ? 'DELETE' : 'POST', target, { body: { account } }))) reload();
  };
  return (
    <Section
      heading="Followers"
      aside={
        <button type="button" class="quiet" onClick={() => void change()}>
          {isFollowing ? 'Stop following' : 'Follow'}
        </button>
      }
    >
      {failed !== undefined && <ErrorNote error={failed} />}
      <Pending of={{ value, error, reload }} />
      {value?.length === 0 && <p class="absent">Nobody follows this DID.</p>}
      <ul class="chips">
        {value?.map(({ user }) => (
          <li key={user}>
            <AccountLink account={user} />
          </li>
        ))}
      </ul>
    </Section>
  );
}
