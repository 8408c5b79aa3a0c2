import { readBoolean } from '../../python/boolean.ts';
import { type CopyPlace, isOnTape, type StorageRse } from '../mover.ts';
import type { ToolJob } from '../transfer-tool.ts';
import { planChecksum } from './checksum-plan.ts';

/** Rucio's times: a file may take so long to come from tape, and then stays on disk for so long. In seconds. */
const [bringOnlineSeconds, pinSeconds] = [43_200, 172_800];

/** Hours after which FTS gives up a waiting job, unless the attribute `max_time_in_queue` says otherwise. */
const defaultHoursInQueue = 168;

/** FTS takes no longer metadata of a file, unless it is configured otherwise. In bytes as Python writes JSON. */
const maxMetadataBytes = 1_024;

/** The longest address of a file that FTS stores, in characters; it breaks down at longer ones. */
export const maxAddressLength = 1_100;

/** The bearer tokens for the storages. */
export interface StorageTokens {
  readonly source: string;
  readonly destination: string;
}

/** The body of a submission: with the fields, and from the attributes of the RSEs, that Rucio uses. */
export function describeJob(job: ToolJob, tokens: StorageTokens): object {
  const { bytes, activity, attemptId } = job;
  const plan = planChecksum(job, job);
  const isFromTape = isOnTape(job.source.rse);
  const file = {
    sources: [addressOf(job.source)],
    destinations: [addressOf(job.destination)],
    source_tokens: [tokens.source],
    destination_tokens: [tokens.destination],
    metadata: describeFile(job),
    filesize: bytes,
    checksum: plan.checksum,
    selection_strategy: 'orderly',
    activity,
    ...(isFromTape ? { staging_metadata: { default: { activity } } } : {}),
  };
  const params = {
    ...describeWriting(job),
    ...describeNetwork(job),
    verify_checksum: plan.verify,
    bring_online: isFromTape ? bringOnlineSeconds : -1,
    copy_pin_lifetime: isFromTape ? pinSeconds : -1,
    // The answer to a job that failed tells then what is at the destination.
    dst_file_report: true,
    priority: job.priority,
    max_time_in_queue: readPositive(job.destination.rse, 'max_time_in_queue') ?? defaultHoursInQueue,
    id_generator: 'deterministic',
    sid: attemptId,
  };
  return { files: [file], params };
}

/** The address of a file, with the marks of a URL escaped where its scheme is one of HTTP. */
export function addressOf({ url, pfn }: CopyPlace): string {
  if (url === undefined) return pfn;
  // FTS knows a storage by its scheme, too, which Rucio tells as it is.
  return `${pfn.slice(0, pfn.indexOf(':'))}${url.slice(url.indexOf(':'))}`;
}

/** The parameters of a job that concern a file at its destination. */
function describeWriting({ destination: { rse }, replaces }: ToolJob) {
  const isTape = isOnTape(rse);
  const archiveTimeout = isTape ? readPositive(rse, 'archive_timeout') : undefined;
  // FTS refuses both at a time.
  const onlyOnDisk = isTape && !replaces && isSet(rse, 'overwrite_when_only_on_disk');
  return {
    overwrite: replaces || (!onlyOnDisk && isSet(rse, 'overwrite')),
    overwrite_when_only_on_disk: onlyOnDisk,
    job_metadata: { issuer: 'rucio', multi_sources: false, overwrite_when_only_on_disk: onlyOnDisk },
    ...(archiveTimeout === undefined ? {} : { archive_timeout: archiveTimeout }),
    ...(isSet(rse, 'strict_copy') ? { strict_copy: true } : {}),
  };
}

function describeNetwork({ source, destination }: ToolJob) {
  const rses = [source.rse, destination.rse];
  return {
    s3alternate: rses.every(({ attributes }) => attributes['s3_url_style'] !== 'host'),
    ...(rses.some((rse) => isSet(rse, 'use_ipv4')) ? { ipv4: true, ipv6: false } : {}),
  };
}

function describeFile(job: ToolJob): object {
  const [from, to] = [job.source.rse, job.destination.rse];
  const essential = {
    request_id: job.attemptId,
    request_type: 'TRANSFER',
    src_type: isOnTape(from) ? 'TAPE' : 'DISK',
    dst_type: isOnTape(to) ? 'TAPE' : 'DISK',
    src_rse_id: from.id,
    dest_rse_id: to.id,
  };
  const { did, activity, bytes: filesize, md5, adler32 } = job;
  const whole = { ...essential, ...did, activity, src_rse: from.rse, dst_rse: to.rse, filesize, md5, adler32 };
  return countPythonBytes(whole) <= maxMetadataBytes ? whole : essential;
}

/** The length of JSON as Python writes it: with blanks after its marks, and marks beyond ASCII escaped. */
function countPythonBytes(value: object): number {
  const text = JSON.stringify(value, (_key, part: unknown) => (typeof part === 'bigint' ? Number(part) : part));
  const escaped = text.replaceAll(/[^\x20-\x7e]/g, String.raw`\u0000`);
  return escaped.length + 2 * Object.keys(value).length;
}

const isSet = ({ attributes }: StorageRse, name: string) => readBoolean(attributes[name]) === true;

function readPositive({ attributes }: StorageRse, name: string): number | undefined {
  const value = Number(attributes[name]);
  return Number.isSafeInteger(value) && value > 0 ? value : undefined;
}
