import { getJson } from '../../api/client.ts';
import { useLoad } from '../../load.ts';
import type { PageProps } from '../../page.ts';
import { isTaskId, taskEntries, type TaskEntry, taskGroups, type TaskId } from '../../tasks/catalogue.ts';
import { listOwnScopes } from '../../tasks/field.tsx';
import { loadTask } from '../../tasks/load-task.ts';
import { describeWho, type OwnRights } from '../../tasks/rights.ts';
import { TaskForm } from '../../tasks/task-form.tsx';
import { taskUrl } from '../../tasks/task-links.tsx';
import { PageHead, Pending, Section } from '../../ui/basics.tsx';

/** All tasks of the page, or the form of one. */
export default function DoPage({ parts: [id], query }: PageProps) {
  if (id === undefined) return <AllTasks />;
  if (!isTaskId(id)) return <PageHead title="No such task" lead={<a href="#/do">All tasks</a>} />;
  return <OneTask id={id} given={Object.fromEntries(query)} />;
}

function OneTask({ id, given }: { id: TaskId; given: Readonly<Record<string, string>> }) {
  const entry: TaskEntry = taskEntries[id];
  const task = useLoad(`task ${id}`, () => loadTask(id));
  return (
    <>
      <PageHead title={entry.label} lead={task.value?.about} />
      <Pending of={task} />
      {task.value !== undefined && (
        <TaskForm key={JSON.stringify(given)} entry={entry} task={task.value} given={given} />
      )}
    </>
  );
}

function AllTasks() {
  const rights = useLoad('all rights', async (signal) => {
    // Whoever owns a scope may do with it what asks for one.
    const [scope] = await listOwnScopes(signal);
    return getJson('/accounts/whoami/rights', { query: { scope }, signal });
  });
  const entries = Object.entries(taskEntries) as (readonly [TaskId, TaskEntry])[];
  return (
    <>
      <PageHead title="Do" lead="Each task is one form, which says what happens before anything does." />
      <Pending of={rights} />
      {rights.value !== undefined && (
        <div class="columns">
          {Object.entries(taskGroups).map(([group, heading]) => (
            <Section key={group} heading={heading}>
              <ul class="plain-list">
                {entries
                  .filter(([, entry]) => entry.group === group)
                  .map(([id, entry]) => (
                    <TaskLine key={id} id={id} entry={entry} rights={rights.value ?? {}} />
                  ))}
              </ul>
            </Section>
          ))}
        </div>
      )}
    </>
  );
}

function TaskLine({ id, entry, rights }: { id: TaskId; entry: TaskEntry; rights: Partial<OwnRights> }) {
  const right = rights[entry.right];
  if (right?.may !== false)
    return (
      <li>
        <a href={taskUrl(id)}>{entry.label}</a>
      </li>
    );
  return (
    <li class="absent">
      {entry.label}
      <span class="hint"> ({describeWho(right.who)})</span>
    </li>
  );
}
