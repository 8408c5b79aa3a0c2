import * as z from 'zod/mini';

import { mapped } from './common.ts';

/** The rows of the largest page. A page is gathered before it is answered, so this bounds memory. */
export const longestPage = 10_000;

const isRowCount = (text: string) => /^[1-9]\d{0,4}$/.test(text) && Number(text) <= longestPage;

/** How many rows a page of a list has. */
export const pageLimit = z
  .optional(
    mapped(
      z.custom<string>(isRowCount, {
        error: ({ input }) => `'${String(input)}' is no number of rows from 1 to ${longestPage}`,
      }),
      Number,
    ),
  )
  .check(
    z.meta({
      type: 'integer',
      minimum: 1,
      maximum: longestPage,
      description: 'Rows of a page; where there are more, the header `Link` says where the next page is',
    }),
  );

/** Where a page of a list begins. */
export const pageCursor = z
  .optional(z.string())
  .check(z.meta({ description: 'From the `Link` of the page before; with the same path and query, but for `limit`' }));

/** The `limit` that Rucio's search has: text that is no number is no limit, and 0 is none (spec/dids.md 1.7). */
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
    description: `The first rows only; up to ${longestPage} of them are a page, and \`Link\` leads to the next`,
  }),
);
