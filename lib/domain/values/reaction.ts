import type { TableChange } from '../../store/stream/change.ts';
import type { AnonymousContext } from './context.ts';

/**
 * A consumer of the stream of committed changes. Delivery is at least once and unordered, so a reaction must be
 * idempotent: it reads the present state and does what is missing.
 */
export interface Reaction {
  /** Its name in the log. */
  readonly name: string;
  /** The kinds of changes that it receives. */
  readonly kinds: readonly TableChange['kind'][];
  /**
   * Handles the changes of its kinds in a batch, at least one. A retry may contain only some of them. If it throws
   * because of one change, that change is retried alone; after any other error the whole batch is delivered again.
   */
  run(context: AnonymousContext, changes: readonly TableChange[]): Promise<void>;
}
