import { useRef, useState } from 'preact/hooks';

import { getJson, getPage, path, pickRows, postJson } from '../../api/client.ts';
import { session } from '../../api/session.ts';
import { splitDid } from '../../format.ts';
import { useLateFill } from '../../late-focus.ts';
import { useAction, useDelayed, useLoad } from '../../load.ts';
import type { PageProps } from '../../page.ts';
import { placeUrl } from '../../router.ts';
import { listOwnScopes } from '../../tasks/field.tsx';
import { taskUrl } from '../../tasks/task-links.tsx';
import { PageHead, Section } from '../../ui/basics.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { onSubmit, TextField } from '../../ui/fields.tsx';
import { Command, curlCommand } from '../../ui/same-as.tsx';
import { Bytes, RseLink } from '../../ui/values.tsx';
import { UnservedNote } from '../requests/mover-note.tsx';
import { isFoundDid } from '../search/columns.tsx';
import { Outcome } from './outcome.tsx';
import type { TestCopy } from './watch-copy.ts';

const typingMs = 300;
const daySeconds = 86_400;
/** A file that is proposed is no larger. */
const smallBytes = 10_000_000;
/** Scopes in which a small file is looked for. */
const searchedScopes = 10;

/**
 * Tests a storage by what it is for: one small file is copied there and taken away again, by the movers and the reaper that serve it.
 * So nobody can make the server ask for an address that it would not ask for anyway.
 */
export default function TestStoragePage({ query }: PageProps) {
  const rse = query.get('rse') ?? '';
  const proposed = useLoad('small file', findSmallFile);
  const [typed, setTyped] = useState<string>();
  const [copy, setCopy] = useState<TestCopy>();
  const { busy, error, run } = useAction();
  const form = useRef<HTMLFormElement>(null);
  const text = typed ?? proposed.value ?? '';
  useLateFill(form, typed === undefined ? proposed.value : undefined);
  const settled = useDelayed(text.trim(), typingMs);
  const did = splitDid(settled);
  const found = useLoad(`test file ${settled}`, async (signal) =>
    did === undefined ? undefined : getJson(path('/dids/**:scope_name', { did }), { signal }),
  );
  const isUnderWay = copy !== undefined && copy.rse === rse && `${copy.did.scope}:${copy.did.name}` === settled;
  const isFile = found.value?.type === 'FILE';
  const body = {
    dids: [did ?? { scope: '', name: '' }],
    account: session()?.account ?? '',
    copies: 1,
    rse_expression: rse,
    lifetime: daySeconds,
    comment: 'test of the storage',
  };
  const begin = () =>
    run(async () => {
      const [rule = ''] = await postJson('/rules', { body });
      if (did !== undefined) setCopy({ did, rse, rule });
    });
  return (
    <>
      <PageHead
        title={`${rse} · Test the storage`}
        heading="Test the storage"
        lead={
          <>
            <RseLink rse={rse} />: one file is copied there as any other is, compared, and taken away again.
          </>
        }
      />
      <form ref={form} class="form" onSubmit={onSubmit(begin)}>
        <Section heading="What is copied">
          <TextField
            label="A small file that has a replica elsewhere"
            class="name"
            required
            spellcheck={false}
            placeholder="scope:name"
            value={text}
            onInput={setTyped}
          />
          {found.error !== undefined && <p class="hint">{found.error.message}</p>}
          {found.value !== undefined && (
            <p class="hint" role="status">
              {isFile ? (
                <>
                  A file of <Bytes of={found.value.bytes} />.
                </>
              ) : (
                'That is no file.'
              )}
            </p>
          )}
          <p class="hint">
            A rule of your account asks for the copy, for a day at most, and needs{' '}
            <a href={taskUrl('set-quota', { account: body.account, rse })}>quota there</a>. A mover writes the file,
            reads it back and compares its content.
          </p>
          {rse !== '' && <UnservedNote rses={[rse]} />}
        </Section>
        {error !== undefined && <ErrorNote error={error} />}
        <div class="actions">
          <button type="submit" class="primary" disabled={!isFile || busy || rse === '' || isUnderWay}>
            Copy it there
          </button>
          <a class="button" href={placeUrl(['rse', rse], { tab: 'settings' })}>
            Show the RSE
          </a>
        </div>
      </form>
      {copy !== undefined && <Outcome key={copy.rule} of={copy} />}
      <details class="same-as">
        <summary>The same in a terminal</summary>
        <Command name="curl" text={curlCommand({ method: 'POST', path: '/rules', body })} />
      </details>
    </>
  );
}

/** A small file in a scope of the reader; undefined if there is none. */
async function findSmallFile(signal: AbortSignal): Promise<string | undefined> {
  for (const scope of (await listOwnScopes(signal)).slice(0, searchedScopes)) {
    const query = { type: 'file', 'bytes.lte': smallBytes, long: true };
    const page = await getPage(path('/dids/:scope/dids/search', { scope }), 1, undefined, { query, signal });
    const [file] = pickRows(page, isFoundDid).rows;
    if (file !== undefined) return `${file.scope}:${file.name}`;
  }
  return undefined;
}
