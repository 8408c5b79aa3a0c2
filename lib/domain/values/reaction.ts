import type { TableChange } from '../../store/stream/change.ts';
import type { AnonymousContext } from './context.ts';

/**
 * What follows from changes of the catalogue. It is told of each committed change at least once, and may be told again,
 * together with others, in another order: it looks at the present state and does what is missing.
 */
export interface Reaction {
  /** For the log. */
  readonly name: string;
  /** What it wants to be told of. */
  readonly kinds: readonly TableChange['kind'][];
  /**
   * Is given all changes of its kinds of a batch at once, never none, or a part of them again. What it throws because of
   * a change has that change tried alone; whatever else it throws has the whole batch delivered again.
   */
  run(context: AnonymousContext, changes: readonly TableChange[]): Promise<void>;
}
