import type { RowOf } from './columns.ts';
import { accountRelations } from './tables/accounts.ts';
import { didRelations } from './tables/dids.ts';
import { rseRelations } from './tables/rses.ts';
import { ruleRelations } from './tables/rules.ts';

/** Everything that is read of a Rucio database, by name: tables, and statements that sum up others. */
export const relations = { ...accountRelations, ...rseRelations, ...didRelations, ...ruleRelations } as const;

type Relations = typeof relations;

/** The name of a relation. */
export type RelationName = keyof Relations;

/** A row of a relation. */
export type Row<Name extends RelationName> = RowOf<Relations[Name]>;

/** The rows of several relations. */
export type Rows<Name extends RelationName> = { readonly [N in Name]: readonly Row<N>[] };
