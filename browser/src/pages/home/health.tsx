import { getJson } from '../../api/client.ts';
import { counted } from '../../format.ts';
import { useLoad } from '../../load.ts';
import { placeUrl } from '../../router.ts';
import { ErrorNote } from '../../ui/error-note.tsx';

/** How the catalogue is, in a line, for those who operate it. */
export function Health() {
  const { value, error, reload } = useLoad('/status', (signal) => getJson('/status', { signal }));
  if (error !== undefined) return <ErrorNote error={error} retry={reload} />;
  if (value === undefined) return null;
  const { problems, table, tasks } = value;
  const more = tasks.more ? 'more than ' : '';
  return (
    <div class="note" data-tone={problems.length === 0 ? 'good' : 'bad'}>
      <p>
        <strong>{problems.length === 0 ? 'The catalogue is well.' : 'The catalogue needs a look:'}</strong>{' '}
        {problems.join(' ')} The table answers within {Math.round(table.milliseconds)} ms; {more}
        {counted(tasks.count, 'task')} {tasks.count === 1 ? 'is' : 'are'} due.{' '}
        <a href={placeUrl(['operations'])}>Operations</a>
      </p>
    </div>
  );
}
