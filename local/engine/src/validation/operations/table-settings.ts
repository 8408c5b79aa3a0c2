import { contradictionError, validationError } from '../../errors.ts';
import type { Input } from '../parameters.ts';

/** The settings of a table's stream. */
export interface StreamSpecification {
  StreamEnabled: boolean;
  StreamViewType?: string;
}

/** Checks the settings of a stream. */
export function checkStreamSpecification(specification: StreamSpecification | undefined): void {
  if (specification === undefined) return;
  const { StreamEnabled, StreamViewType } = specification;
  if (StreamEnabled && StreamViewType === undefined) {
    throw contradictionError('StreamSpecification StreamViewType must be specified when StreamEnabled is true');
  }
  if (!StreamEnabled && StreamViewType !== undefined) {
    throw contradictionError('StreamSpecification StreamViewType must not be specified when StreamEnabled is false');
  }
}

/** A tag of a table. */
export interface Tag {
  Key: string;
  Value: string;
}

const maxTags = 50;
const tagPattern = /^[\p{L}\p{Z}\p{N}_.:/=+\-@]*$/u;

/** Checks the number of tags of a table. */
export function checkTagCount(count: number): void {
  if (count > maxTags) throw contradictionError(`The number of tags exceeds the limit of ${maxTags}`);
}

/** Checks the tags in a request. */
export function checkTags(tags: readonly Tag[]): void {
  checkTagCount(tags.length);
  const keys = new Set<string>();
  for (const { Key, Value } of tags) {
    if (!tagPattern.test(Key)) throw contradictionError(`The tag key contains characters that are not allowed: ${Key}`);
    if (!tagPattern.test(Value))
      throw contradictionError(`The tag value contains characters that are not allowed: ${Value}`);
    if (keys.has(Key)) throw contradictionError(`Duplicate tag key: ${Key}`);
    keys.add(Key);
  }
}

/** Checks that a request names a resource, which DynamoDB does before it checks the constraints. */
export function checkResourcePresent({ ResourceArn }: Input): void {
  if (ResourceArn === undefined) throw validationError('Invalid TableArn');
}

/** Checks a TagResource. */
export function checkTagResource(input: Input): void {
  checkTableArn(input);
  const tags = input.Tags as readonly Tag[];
  if (tags.length === 0) throw validationError('Atleast one Tag needs to be provided as Input.');
  checkTags(tags);
}

/** Checks an UntagResource. */
export function checkUntagResource(input: Input): void {
  checkTableArn(input);
  if ((input.TagKeys as readonly string[]).length === 0) {
    throw validationError('Atleast one Tag Key needs to be provided as Input.');
  }
}

const tableArn = /^arn:[^:]*:dynamodb:[^:]*:[^:]*:table\/[a-zA-Z0-9_.-]{3,255}$/;

/** Checks that the resource of a request is the ARN of a table. */
export function checkTableArn({ ResourceArn }: Input): void {
  const arn = ResourceArn as string;
  if (tableArn.test(arn)) return;
  if (arn.split(':').length < 6) throw validationError("Invalid TableArn: ARNs must start with 'arn:'");
  throw validationError(`Invalid TableArn: Invalid ResourceArn provided as input ${arn}`);
}
