import { setTimeout as sleep } from 'node:timers/promises';

import { answerError } from '../../local/engine/src/protocol.ts';
import { transactionCancelled, transactionConflict } from '../../local/engine/src/testing/faults.ts';
import type { Transport } from '../../local/engine/src/transport.ts';

interface Keyed {
  readonly Key?: Attributes;
  readonly Item?: Attributes;
}
type Attributes = Readonly<Record<string, { readonly S?: string }>>;

/** How long DynamoDB holds the items of a transaction. */
const transactionHoldMs = 15;

/** Counts of conflicts. */
export interface Conflicts {
  readonly transport: Transport;
  /** Requests that were refused because of a transaction under way. */
  refused: number;
}

/**
 * Makes a transaction hold its items for a while, as DynamoDB does: other transactions on one of them are cancelled, and
 * single writes to one of them are refused.
 */
export function withConflicts(transport: Transport): Conflicts {
  const holding = new Set<string>();
  const nameOf = ({ Key, Item }: Keyed) => `${(Key ?? Item)?.['PK']?.S}\n${(Key ?? Item)?.['SK']?.S}`;
  const conflicts: Conflicts = {
    refused: 0,
    transport: {
      send: async (operation, body) => {
        const input = JSON.parse(body) as Keyed & { readonly TransactItems?: readonly Record<string, Keyed>[] };
        if (operation === 'TransactWriteItems') {
          const names = (input.TransactItems ?? []).flatMap((item) => Object.values(item).map(nameOf));
          if (names.some((name) => holding.has(name))) {
            conflicts.refused += 1;
            const codes = names.map((name) => (holding.has(name) ? 'TransactionConflict' : 'None'));
            return answerError(transactionCancelled(codes));
          }
          for (const name of names) holding.add(name);
          await sleep(transactionHoldMs);
          const answer = await transport.send(operation, body);
          for (const name of names) holding.delete(name);
          return answer;
        }
        if (/^(Put|Update|Delete)Item$/.test(operation) && holding.has(nameOf(input))) {
          conflicts.refused += 1;
          return answerError(transactionConflict);
        }
        return transport.send(operation, body);
      },
    },
  };
  return conflicts;
}
