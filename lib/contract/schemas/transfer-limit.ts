import * as z from 'zod/mini';

import { bigInteger, date, integer, mapped, rseExpression } from './common.ts';

const letters = { S: 'SOURCE', D: 'DESTINATION' } as const;

/** A direction, by Rucio's letter or by name. */
const direction = mapped(z._default(z.enum(['SOURCE', 'DESTINATION', 'S', 'D']), 'DESTINATION'), (text) =>
  text === 'S' || text === 'D' ? letters[text] : text,
);

const selector = {
  rse_expression: rseExpression,
  activity: z
    .nullish(z.string().check(z.maxLength(50)))
    .check(z.meta({ description: 'Absent or null: `all_activities`' })),
  direction,
};

const amount = z.nullish(bigInteger);

/** Body that sets a limit of transfers; members that are absent or null stay as they are (spec/access.md 6.6). */
export const newTransferLimit = z.object({
  ...selector,
  max_transfers: z.nullable(bigInteger),
  volume: amount.check(z.meta({ description: 'Bytes' })),
  deadline: amount.check(z.meta({ description: 'Hours until a dataset is released' })),
  strategy: z.nullish(z.string().check(z.maxLength(25))).check(z.meta({ description: '`fifo` or `grouped_fifo`' })),
  transfers: amount,
  waitings: amount,
});
export type NewTransferLimit = z.output<typeof newTransferLimit>;

/** Body that names a limit of transfers to delete. */
export const transferLimitSelector = z.object(selector);
export type TransferLimitSelector = z.output<typeof transferLimitSelector>;

/** A limit of transfers. */
export const transferLimit = z.object({
  id: z.string(),
  rse_expression: z.string(),
  activity: z.string(),
  direction: z.enum(['SOURCE', 'DESTINATION']),
  max_transfers: integer,
  volume: integer,
  deadline: integer,
  strategy: z.string(),
  transfers: z.nullable(integer),
  waitings: z.nullable(integer),
  created_at: date,
  updated_at: date,
});
export type TransferLimitLine = z.input<typeof transferLimit>;
