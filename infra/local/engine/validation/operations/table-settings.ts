import { invalid } from '../../errors.ts';
import type { Input } from '../parameters.ts';
import { problem } from './indexes.ts';

/** What a stream of a table is to hold. */
export interface StreamSpecification {
  StreamEnabled: boolean;
  StreamViewType?: string;
}

/** Checks what a stream is to hold. */
export function checkStreamSpecification(specification: StreamSpecification | undefined): void {
  if (specification === undefined) return;
  const { StreamEnabled, StreamViewType } = specification;
  if (StreamEnabled && StreamViewType === undefined) {
    throw problem('StreamSpecification StreamViewType must be specified when StreamEnabled is true');
  }
  if (!StreamEnabled && StreamViewType !== undefined) {
    throw problem('StreamSpecification StreamViewType must not be specified when StreamEnabled is false');
  }
}

/** A tag of a table. */
export interface Tag {
  Key: string;
  Value: string;
}

const mostTags = 50;
const tagPattern = /^[\p{L}\p{Z}\p{N}_.:/=+\-@]*$/u;

/** Checks how many tags a table has. */
export function checkTagCount(count: number): void {
  if (count > mostTags) throw problem(`The number of tags exceeds the limit of ${mostTags}`);
}

/** Checks the tags that a request gives a table. */
export function checkTags(tags: readonly Tag[]): void {
  checkTagCount(tags.length);
  const keys = new Set<string>();
  for (const { Key, Value } of tags) {
    if (!tagPattern.test(Key)) throw problem(`The tag key contains characters that are not allowed: ${Key}`);
    if (!tagPattern.test(Value)) throw problem(`The tag value contains characters that are not allowed: ${Value}`);
    if (keys.has(Key)) throw problem(`Duplicate tag key: ${Key}`);
    keys.add(Key);
  }
}

/** Checks that a request names a resource, which DynamoDB does before it looks at the constraints. */
export function checkResourcePresent({ ResourceArn }: Input): void {
  if (ResourceArn === undefined) throw invalid('Invalid TableArn');
}

/** Checks a TagResource. */
export function checkTagResource(input: Input): void {
  checkTableArn(input);
  const tags = input.Tags as readonly Tag[];
  if (tags.length === 0) throw invalid('Atleast one Tag needs to be provided as Input.');
  checkTags(tags);
}

/** Checks an UntagResource. */
export function checkUntagResource(input: Input): void {
  checkTableArn(input);
  if ((input.TagKeys as readonly string[]).length === 0) {
    throw invalid('Atleast one Tag Key needs to be provided as Input.');
  }
}

const tableArn = /^arn:[^:]*:dynamodb:[^:]*:[^:]*:table\/[a-zA-Z0-9_.-]{3,255}$/;

/** Checks that the resource of a request is a table, by its ARN. */
export function checkTableArn({ ResourceArn }: Input): void {
  const arn = ResourceArn as string;
  if (tableArn.test(arn)) return;
  if (arn.split(':').length < 6) throw invalid("Invalid TableArn: ARNs must start with 'arn:'");
  throw invalid(`Invalid TableArn: Invalid ResourceArn provided as input ${arn}`);
}
