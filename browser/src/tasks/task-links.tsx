import { placeUrl } from '../router.ts';
import { taskEntries, type TaskEntry, type TaskId } from './catalogue.ts';
import { describeWho, useRights } from './rights.ts';

/** The address of a task, with values for its fields. */
export function taskUrl(id: TaskId, given: Readonly<Record<string, string>> = {}): string {
  return placeUrl(['do', id], given);
}

/** Links to the tasks that the reader may do with a thing; of the others it says who may. */
export function TaskLinks({
  of: ids,
  given = {},
}: {
  of: readonly TaskId[];
  /** Values for the fields of the forms, which also say what rights are asked for. */
  given?: Readonly<Record<string, string>>;
}) {
  const rights = useRights(given);
  if (rights === undefined) return null;
  const entries: readonly (readonly [TaskId, TaskEntry])[] = ids.map((id) => [id, taskEntries[id]]);
  const refused = entries.filter(([, { right }]) => !rights[right].may);
  const allowed = entries.filter((entry) => !refused.includes(entry));
  return (
    <div class="tasks">
      {allowed.length > 0 && (
        <div class="actions">
          {allowed.map(([id, { label, short = label, isDanger }]) => (
            <a key={id} class={isDanger === true ? 'button danger' : 'button'} href={taskUrl(id, given)}>
              {short}
            </a>
          ))}
        </div>
      )}
      {refused.length > 0 && (
        <details>
          <summary>What others may do</summary>
          <ul class="plain-list">
            {refused.map(([id, { label, short = label, right }]) => (
              <li key={id}>
                {short}: {describeWho(rights[right].who)}
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}
