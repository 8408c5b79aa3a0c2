import { useState } from 'preact/hooks';

import { apiUrl } from '../../api/client.ts';
import { readSettings } from '../../api/log-in.ts';
import { session } from '../../api/session.ts';
import type { PageSettings } from '../../api/types.ts';
import { useAction, useLoad } from '../../load.ts';
import { placeUrl } from '../../router.ts';
import { Section } from '../../ui/basics.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Command } from '../../ui/same-as.tsx';
import { exampleScope, type Progress, makeExample } from './example-data.ts';

/** First steps in an empty catalogue: example data, a folder, the client. */
export function GettingStarted({ onFilled }: { onFilled: () => void }) {
  const settings = useLoad('settings', readSettings);
  return (
    <>
      <div class="note">
        <p>
          <strong>This catalogue is empty.</strong> There are three ways to begin.
        </p>
      </div>
      <div class="ways">
        <ExampleWay onFilled={onFilled} />
        <Section heading="Register a folder">
          <p>
            A page cannot read your disk, a command can. From the folder of Dapple; it registers every file with its
            size and checksum:
          </p>
          <Command
            name="shell"
            text={`npm run dapple -- register-tree /path/to/data --url ${apiUrl('/').replace(/\/$/, '')}`}
          />
        </Section>
        <Section heading="Use the official client">
          <p>
            Save this as <code>~/rucio/etc/rucio.cfg</code>, then run the three commands.
          </p>
          <Command name="rucio.cfg" text={clientConfiguration(settings.value?.login ?? null)} />
          <Command name="shell" text={'pip install rucio-clients\nexport RUCIO_HOME=~/rucio\nrucio whoami'} />
        </Section>
      </div>
    </>
  );
}

/** A configuration of the official client for this service and this account. */
function clientConfiguration(login: PageSettings['login']): string {
  const url = apiUrl('/').replace(/\/$/, '');
  return [
    '[client]',
    `rucio_host = ${url}`,
    `auth_host = ${url}`,
    'auth_type = userpass',
    `username = ${login?.username ?? 'your user name'}`,
    `password = ${login?.password ?? 'your password'}`,
    `account = ${session()?.account ?? 'root'}`,
  ].join('\n');
}

function ExampleWay({ onFilled }: { onFilled: () => void }) {
  const [progress, setProgress] = useState<Progress>();
  const { error, run } = useAction();
  const make = async () => {
    if (await run(() => makeExample(setProgress))) onFilled();
    else setProgress(undefined);
  };
  return (
    <Section heading="Make example data">
      <p>
        A small experiment: three sites, a campaign of runs with files and metadata, and rules, one of which is stuck.
        It takes a few seconds, in scopes of its own.
      </p>
      {progress === undefined ? (
        <div class="actions">
          <button type="button" class="primary" onClick={() => void make()}>
            Make example data
          </button>
        </div>
      ) : (
        <p role="status">
          {progress.what} …{' '}
          <progress max={progress.steps} value={progress.step} aria-label="Example data">
            {progress.step}
          </progress>
        </p>
      )}
      {error !== undefined && <ErrorNote error={error} />}
    </Section>
  );
}

/** Links to the example data. */
export function ExampleMade() {
  return (
    <div class="note" data-tone="good" role="status">
      <p>
        <strong>The example data are there.</strong> See the{' '}
        <a href={placeUrl(['did', exampleScope, 'data.358031.RAW'])}>raw data of run 358031</a>,{' '}
        <a href={placeUrl(['rules'], { state: 'STUCK' })}>the rule that is stuck</a>, and{' '}
        <a href={placeUrl(['requests'])}>what is being copied</a>.
      </p>
    </div>
  );
}
