import { useEffect, useRef, useState } from 'preact/hooks';

import type { Did } from '../../../api/types.ts';
import { counted, exactInteger } from '../../../format.ts';
import { useAction } from '../../../load.ts';
import { saveFile } from '../../../save-file.ts';
import { ErrorNote } from '../../../ui/error-note.tsx';
import { collectList, type ListFormat, type Progress, type Wish } from './file-list.ts';

/** Buttons that save the list of all files of a DID, with the progress of a long one. */
export function SaveList({ did, wish }: { did: Did; wish: Wish }) {
  const [progress, setProgress] = useState<Progress>();
  const [said, setSaid] = useState('');
  const { busy, error, run } = useAction();
  const abort = useRef<AbortController | undefined>(undefined);
  useEffect(() => () => abort.current?.abort(), []);

  const save = async (format: ListFormat) => {
    setSaid('');
    setProgress(undefined);
    const { signal } = (abort.current = new AbortController());
    let last: Progress = { files: 0, without: 0 };
    await run(async () => {
      try {
        const list = await collectList(did, wish, format, signal, (next) => {
          last = next;
          setProgress(next);
        });
        saveFile(`${did.name}.${format === 'txt' ? 'txt' : 'meta4'}`, list);
        setSaid(describe(last));
      } catch (failure) {
        // The reader has cancelled it, or gone on.
        if (!signal.aborted) throw failure;
      }
    });
    setProgress(undefined);
  };
  return (
    <>
      <div class="actions">
        <button type="button" disabled={busy} onClick={() => void save('txt')}>
          Save the URLs (.txt)
        </button>
        <button type="button" disabled={busy} onClick={() => void save('metalink')}>
          Save a metalink
        </button>
        {busy && (
          <button type="button" class="quiet" onClick={() => abort.current?.abort()}>
            Cancel
          </button>
        )}
      </div>
      <p role="status" class="hint">
        {progress === undefined
          ? said
          : `${exactInteger(progress.files)} of ${exactInteger(did.length ?? 0)} files so far …`}
      </p>
      {error !== undefined && <ErrorNote error={error} />}
    </>
  );
}

function describe({ files, without }: Progress): string {
  const missing =
    without === 0
      ? ''
      : `; ${exactInteger(without)} of them ${without === 1 ? 'has' : 'have'} no replica that can be read`;
  return `The list of ${counted(files, 'file')} is saved${missing}.`;
}
