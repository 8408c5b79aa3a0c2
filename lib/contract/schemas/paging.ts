import * as z from 'zod/mini';

import { mapped } from './common.ts';

/** The largest page in rows. A page is collected in memory before it is sent. */
export const maxPageRows = 10_000;

const isRowCount = (text: string) => /^[1-9]\d{0,4}$/.test(text) && Number(text) <= maxPageRows;

/** The number of rows in a page. */
export const pageLimit = z
  .optional(
    mapped(
      z.custom<string>(isRowCount, {
        error: ({ input }) => `'${String(input)}' is no number of rows from 1 to ${maxPageRows}`,
      }),
      Number,
    ),
  )
  .check(
    z.meta({
      type: 'integer',
      minimum: 1,
      maximum: maxPageRows,
      description: 'Rows in a page; if there are more, the header `Link` points to the next page',
    }),
  );

/** The start of a page. */
export const pageCursor = z
  .optional(z.string())
  .check(z.meta({ description: 'From the `Link` of the previous page; with the same path and query, except `limit`' }));

/** The `limit` of Rucio's search: text that is not a number, and 0, mean no limit (spec/dids.md 1.7). */
export const searchLimit = mapped(
  z.optional(z.string()).check(
    z.refine((text) => !(Number.parseInt(text ?? '', 10) < 0), {
      error: ({ input }) => `The limit ${Number.parseInt(input as string, 10)} is negative.`,
      params: { exception: 'ValueError' },
    }),
  ),
  (text) => Number.parseInt(text ?? '', 10) || undefined,
).check(
  z.meta({
    description: `Maximum number of rows; up to ${maxPageRows} are a page, and \`Link\` points to the next`,
  }),
);
