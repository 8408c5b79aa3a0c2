import * as z from 'zod/mini';

import { date } from './common.ts';
import { contentLine, didType, fileLine, knownDidElement } from './did.ts';
import { didName, scopeName } from './names.ts';

import policy from '#policy';

/** A line of the former content of a DID (spec/dids.md 2.9). */
export const historyLine = z.extend(contentLine, { deleted_at: date, created_at: date, updated_at: date });

/** Body that asks for the files of many DIDs (spec/dids.md 2.11). */
export const bulkFiles = z.object({
  dids: z._default(z.array(z.object({ scope: z.string(), name: z.string() })), []),
});

/** A line of the files of many DIDs: the file and the requested DID. */
export const bulkFileLine = z.extend(fileLine, { parent_scope: z.string(), parent_name: z.string() });

/**
 * A line of the lookup by GUID: the file, or for Rucio's own clients a dataset that contains it (spec/dids.md 2.20).
 */
export const guidLine = z.object({
  scope: z.string(),
  name: z.string(),
  ...z.pick(z.partial(contentLine), { type: true, bytes: true, adler32: true, md5: true }).shape,
});

/** A line of the new DIDs; `did_type` as in Rucio, and also `type` (spec/dids.md 2.22). */
export const newDidLine = z.object({ scope: z.string(), name: z.string(), did_type: didType, type: didType });

/** A line of an archive's content (spec/dids.md 2.27). */
export const archiveLine = z.omit(contentLine, { type: true });

/** Body of the creation of a sample (spec/dids.md 2.21). */
export const newSample = z.object({
  input_scope: z.string(),
  input_name: z.string(),
  output_scope: scopeName,
  output_name: didName,
  nbfiles: z.union([z.int(), z.string()]),
});
export type NewSample = z.output<typeof newSample>;

/** Body that restores deleted DIDs (spec/dids.md 2.23). */
export const deletedDids = z.array(knownDidElement).check(z.maxLength(policy.lists.created));

/** A line of the followers of a DID (spec/dids.md 2.26). */
export const followerLine = z.object({ user: z.string() });

/** Body that names a follower of a DID (spec/dids.md 2.26). */
export const follower = z.object({ account: z.string() });
