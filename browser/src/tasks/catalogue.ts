import type { ActionName } from '../../../lib/policy/rights.ts';

/** A task of the page, known without its form. */
export interface TaskEntry {
  /** The title of its form. */
  readonly label: string;
  /** The words of its link on the page of what it acts on; absent: the title. */
  readonly short?: string;
  /** The module that has its form. */
  readonly group: TaskGroup;
  /** The action that it needs the right for. */
  readonly right: ActionName;
  /** It destroys something. */
  readonly isDanger?: true;
}

/** The groups of tasks, with their headings. */
export const taskGroups = {
  dids: 'Data',
} as const;
export type TaskGroup = keyof typeof taskGroups;

/** All tasks, by their ids, which are in addresses: `#/do/<id>`. */
export const taskEntries = {
  'make-collection': { label: 'Make a dataset or container', group: 'dids', right: 'add_did' },
  attach: { label: 'Attach to a dataset or container', short: 'Attach', group: 'dids', right: 'attach_dids' },
  detach: { label: 'Detach from a dataset or container', short: 'Detach', group: 'dids', right: 'detach_dids' },
  close: { label: 'Close a dataset or container', short: 'Close', group: 'dids', right: 'set_status' },
  reopen: { label: 'Open a dataset or container again', short: 'Open again', group: 'dids', right: 'set_status' },
  'set-metadata': { label: 'Set metadata', group: 'dids', right: 'set_metadata' },
  'delete-did': { label: 'Delete a DID', short: 'Delete', group: 'dids', right: 'set_metadata', isDanger: true },
} as const satisfies Readonly<Record<string, TaskEntry>>;
export type TaskId = keyof typeof taskEntries;

/** Whether a text is the id of a task. */
export function isTaskId(text: string): text is TaskId {
  return Object.hasOwn(taskEntries, text);
}
