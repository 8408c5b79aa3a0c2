import * as z from 'zod/mini';

import { count, looseFlag, withoutProto } from './common.ts';
import { adler32, givenMetadata, guid } from './did.ts';
import { didName, rseName } from './names.ts';

import policy from '#policy';

/** A file of DIRAC: its logical name is the name of its DID (spec/access.md 11.2). */
const diracFile = z.object({
  lfn: didName,
  rse: rseName,
  bytes: z.nullish(count),
  adler32: z.nullish(adler32),
  guid: z.nullish(guid),
  pfn: z.nullish(z.string()),
  meta: z.nullish(givenMetadata),
});
export type DiracFile = z.output<typeof diracFile>;

/** Body that adds files; unknown keys are ignored. */
export const diracFiles = z.object({
  lfns: z.pipe(
    z.unknown().check(
      z.refine((lfns) => lfns !== undefined, {
        error: "'lfns' not defined",
        params: { exception: 'KeyError' },
        abort: true,
      }),
    ),
    z.array(diracFile).check(z.maxLength(policy.lists.created)),
  ),
  ignore_availability: looseFlag('ignore_availability'),
  parents_metadata: z
    .nullish(withoutProto(z.record(z.string(), givenMetadata)))
    .check(z.meta({ description: 'Metadata of the datasets and containers that are created, by name' })),
});
export type DiracFiles = z.output<typeof diracFiles>;
