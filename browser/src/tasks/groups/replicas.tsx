import { prepare } from '../../api/client.ts';
import { counted, shellWord } from '../../format.ts';
import { placeUrl } from '../../router.ts';
import { NamedDids } from '../previews.tsx';
import { type Field, task, type Tasks } from '../task.ts';
import { didOf, didsOf, linesOf } from '../texts.ts';

const rse = { name: 'rse', label: 'RSE', suggest: 'rses', required: true } as const satisfies Field;
const files = {
  name: 'files',
  label: 'Files, one a line',
  kind: 'lines',
  required: true,
  placeholder: 'scope:name',
} as const satisfies Field;
const reason = {
  name: 'reason',
  label: 'Reason',
  required: true,
  placeholder: 'disk server lost',
} as const satisfies Field;

const bad = ['Show the bad replicas', placeUrl(['bad'])] as const;
const hourMs = 3_600_000;

const filesOf = (text: string) => didsOf(text, '');
const wordsOf = (text: string) =>
  filesOf(text)
    .map(({ scope, name }) => shellWord(`${scope}:${name}`))
    .join(' ');

const replicas: Tasks = {
  'declare-bad': task({
    about: 'A replica that is lost or damaged is declared bad, so that nobody reads it.',
    button: 'Declare them bad',
    fields: [rse, files, reason],
    effect: ({ rse: name, files: text }) => (
      <p>
        {counted(filesOf(text).length, 'replica')} on <bdi class="name">{name}</bdi> are read by nobody any more. Rules
        that need them copy them anew from other replicas. Rules on a file without another replica are stuck, until one
        is recovered or registered, or the file is detached.
      </p>
    ),
    Preview: ({ values }) => <NamedDids text={values.files} scope="" />,
    requests: ({ rse: name, files: text, reason: why }) => [
      prepare('POST', '/replicas/bad', {
        replicas: filesOf(text).map((file) => ({ scope: file.scope, name: file.name, rse: name.trim() })),
        reason: why,
      }),
    ],
    rucio: ({ rse: name, files: text, reason: why }) => [
      `rucio replica state update bad ${wordsOf(text)} --rse ${shellWord(name)} --reason ${shellWord(why)}`,
    ],
    result: () => bad,
  }),
  'declare-unavailable': task({
    about: 'Replicas that come back by themselves, such as after a maintenance, are declared unavailable for a time.',
    button: 'Declare them unavailable',
    fields: [
      { name: 'pfns', label: 'URLs, one a line', kind: 'lines', required: true, placeholder: 'davs://…' },
      reason,
      { name: 'hours', label: 'Hours', kind: 'number', min: '1', required: true, initial: '24' },
    ],
    effect: ({ pfns, hours }) => (
      <p>
        {counted(linesOf(pfns).length, 'replica')} are no source for {hours} hours, and are available again then.
      </p>
    ),
    requests: ({ pfns, reason: why, hours }) => [
      prepare('POST', '/replicas/bad/pfns', {
        pfns: [...linesOf(pfns)],
        reason: why,
        state: 'TEMPORARY_UNAVAILABLE',
        // To the hour, so that the same form is the same request.
        expires_at: new Date((Math.ceil(Date.now() / hourMs) + Number(hours)) * hourMs).toISOString().slice(0, 23),
      }),
    ],
    rucio: ({ pfns, reason: why, hours }) => [
      `rucio replica state update unavailable ${linesOf(pfns).map(shellWord).join(' ')} --reason ${shellWord(why)} --duration ${Number(hours) * 3_600}`,
    ],
    result: () => bad,
  }),
  'recover-replicas': task({
    about: 'A replica that was declared bad, and is on its storage after all, is declared available.',
    button: 'Declare them available',
    fields: [rse, files],
    effect: ({ rse: name, files: text }) => (
      <p>
        {counted(filesOf(text).length, 'replica')} on <bdi class="name">{name}</bdi> are read again, and rules that
        waited for them go on. Nothing looks whether they are there.
      </p>
    ),
    Preview: ({ values }) => <NamedDids text={values.files} scope="" />,
    requests: ({ rse: name, files: text }) => [
      prepare('PUT', '/replicas', {
        rse: name.trim(),
        files: filesOf(text).map((file) => ({ scope: file.scope, name: file.name, state: 'A' as const })),
      }),
    ],
    rucio: () => [],
    result: () => bad,
  }),
  'add-replicas': task({
    about: 'Files that are on a storage already become known to the catalogue.',
    button: 'Register them',
    fields: [
      rse,
      {
        ...files,
        placeholder: 'scope:name 1048576 0cc737eb',
        hint: 'Each with its size in bytes and its Adler-32, with a blank between.',
      },
    ],
    effect: ({ rse: name, files: text }) => (
      <p>
        {counted(linesOf(text).length, 'file')} with a replica on <bdi class="name">{name}</bdi> are known. No rule
        keeps them until you make one. Nothing looks whether they are there.
      </p>
    ),
    requests: ({ rse: name, files: text }) => [
      prepare('POST', '/replicas', { rse: name.trim(), files: newFilesOf(text) }),
    ],
    rucio: () => [],
    result: ({ rse: name }) => ['Show the RSE', placeUrl(['rse', name.trim()])],
  }),
  'delete-replicas': task({
    about: 'Replicas that no rule keeps are deleted at once, instead of when space is needed.',
    button: 'Let them be deleted',
    fields: [rse, files],
    effect: ({ rse: name, files: text }) => (
      <p>
        The reaper deletes {counted(filesOf(text).length, 'replica')} from <bdi class="name">{name}</bdi> the next time
        it comes. A file goes from the catalogue with its last replica. Replicas that a rule keeps are refused.
      </p>
    ),
    Preview: ({ values }) => <NamedDids text={values.files} scope="" />,
    requests: ({ rse: name, files: text }) => [
      prepare('POST', '/replicas/tombstone', {
        replicas: filesOf(text).map((file) => ({ scope: file.scope, name: file.name, rse: name.trim() })),
      }),
    ],
    rucio: ({ rse: name, files: text }) => [`rucio replica remove ${wordsOf(text)} --rse ${shellWord(name)}`],
    result: ({ rse: name }) => ['Show what may be deleted', placeUrl(['rse', name.trim()], { tab: 'deletable' })],
  }),
};
export default replicas;

/** The lines `scope:name size adler32` of a text. */
function newFilesOf(text: string) {
  return linesOf(text).map((line) => {
    const [did = '', bytes = '', adler32 = ''] = line.split(/\s+/);
    const { scope, name } = didOf(did);
    return { scope, name, bytes: Number(bytes), adler32: adler32 === '' ? undefined : adler32 };
  });
}
