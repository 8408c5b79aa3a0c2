import { taskEntries, type TaskGroup, type TaskId } from './catalogue.ts';
import type { Task, Tasks } from './task.ts';

/** The modules with the forms of each group, fetched when one is opened. */
const groups: Readonly<Record<TaskGroup, () => Promise<{ default: Tasks }>>> = {
  dids: () => import('./groups/dids.tsx'),
  rules: () => import('./groups/rules.tsx'),
  replicas: () => import('./groups/replicas.tsx'),
  rses: () => import('./groups/rses.tsx'),
  subscriptions: () => import('./groups/subscriptions.tsx'),
  configuration: () => import('./groups/configuration.tsx'),
  accounts: () => import('./groups/accounts.tsx'),
  quotas: () => import('./groups/quotas.tsx'),
};

/** Fetches a task. Throws an Error if its group lacks it. */
export async function loadTask(id: TaskId): Promise<Task> {
  const { default: tasks } = await groups[taskEntries[id].group]();
  const found = tasks[id];
  if (found === undefined) throw new Error(`No form is declared for ${id}.`);
  return found;
}
