import { EngineError, tableNotFoundError } from '../errors.ts';
import type { Output } from '../json.ts';
import type { TableDefinition } from '../schema/definition.ts';
import type { Storage } from '../storage/storage.ts';
import type { TagInput } from '../tables/create.ts';
import { checkTagCount } from '../validation/operations/table-settings.ts';
import { reading, writing } from './operation.ts';

interface ResourceInput {
  readonly ResourceArn: string;
}

export const tagResource = writing(
  ({ storage }, input: ResourceInput & { readonly Tags: readonly TagInput[] }): undefined => {
    const table = findResource(storage, input, notFound);
    const added = Object.fromEntries(input.Tags.map(({ Key, Value }) => [Key, Value]));
    const tags = { ...table.tags, ...added };
    checkTagCount(Object.keys(tags).length);
    storage.tables.save({ ...table, tags });
  },
);

export const untagResource = writing(
  ({ storage }, input: ResourceInput & { readonly TagKeys: readonly string[] }): undefined => {
    const table = findResource(storage, input, tableNotFoundError);
    const gone = new Set(input.TagKeys);
    const tags = Object.fromEntries(Object.entries(table.tags).filter(([key]) => !gone.has(key)));
    storage.tables.save({ ...table, tags });
  },
);

export const listTagsOfResource = reading(({ storage }, input: ResourceInput): Output => ({
  Tags: Object.entries(findResource(storage, input, denied).tags).map(([Key, Value]) => ({ Key, Value })),
}));

function findResource(
  { tables }: Storage,
  { ResourceArn }: ResourceInput,
  refuse: (arn: string) => Error,
): TableDefinition {
  const name = /:table\/([^/]+)$/.exec(ResourceArn)?.[1];
  const table = name === undefined ? undefined : tables.find(name);
  if (table === undefined) throw refuse(ResourceArn);
  return table;
}

const notFound = (arn: string) =>
  new EngineError('ResourceNotFoundException', `Requested resource not found: ResourcArn: ${arn} not found`);

const denied = (arn: string) =>
  new EngineError(
    'AccessDeniedException',
    `User: arn:aws:iam::000000000000:user/local is not authorized to perform: dynamodb:ListTagsOfResource on resource: ${arn}`,
  );
