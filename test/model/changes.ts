import fc from 'fast-check';

import { eraseHiddenDid, hideExpiredDid } from '../../lib/background/erase-did.ts';
import type { Context } from '../../lib/domain/values/context.ts';
import { addDid } from '../../lib/operations/dids/add-dids.ts';
import { attachDids, attachDidsToDids } from '../../lib/operations/dids/attach-dids.ts';
import { deleteMetadata } from '../../lib/operations/dids/delete-metadata.ts';
import { detachDids } from '../../lib/operations/dids/detach-dids.ts';
import { setMetadata } from '../../lib/operations/dids/set-metadata.ts';
import { setStatus } from '../../lib/operations/dids/set-status.ts';
import { deleteReplicas } from '../../lib/operations/replicas/delete-replicas.ts';
import { setTombstone } from '../../lib/operations/replicas/set-tombstone.ts';
import { updateReplicas } from '../../lib/operations/replicas/update-replicas.ts';
import { addRules } from '../../lib/operations/rules/add-rules.ts';
import { deleteRuleById } from '../../lib/operations/rules/delete-rule.ts';
import { updateRule } from '../../lib/operations/rules/update-rule.ts';
import { listChildren } from '../../lib/store/entities/edge.ts';
import { listRuleIds } from '../../lib/store/entities/rule.ts';
import { bytesOf } from './model.ts';
import { anyOperation, type Operation } from './operations.ts';

type Looking = 'search' | 'look';

/** A change of the catalogue, among them some that the model does not know. */
export type AnyChange =
  | Exclude<Operation, { readonly do: Looking }>
  | { readonly do: 'unset'; readonly name: string }
  /** More children than fit into a transaction; ignores those that are attached already. */
  | { readonly do: 'fill'; readonly name: string; readonly children: readonly string[] }
  | { readonly do: 'empty'; readonly name: string; readonly count: number }
  /** Its lifetime ends. */
  | { readonly do: 'end'; readonly name: string }
  | { readonly do: 'state'; readonly name: string; readonly rse: string; readonly state: 'A' | 'U' | 'C' }
  | { readonly do: 'free' | 'delete'; readonly name: string; readonly rse: string }
  | { readonly do: 'rule'; readonly name: string; readonly rse: string; readonly notify: 'Y' | 'N' | 'C' | 'P' }
  | { readonly do: 'reprioritise' | 'unrule'; readonly name: string };

/** The RSEs that files are registered on and copied to. */
export const rseNames = ['REPLAY-A', 'REPLAY-B'] as const;

const numbered = (prefix: string, count: number) => fc.integer({ min: 0, max: count - 1 }).map((n) => prefix + n);
const file = numbered('f', 12);
const dataset = numbered('ds', 5);
const collection = fc.oneof(dataset, numbered('ct', 4));
const kept = fc.oneof(file, collection);
const rse = fc.constantFrom(...rseNames);

const known = anyOperation.filter(
  (operation): operation is Exclude<Operation, { readonly do: Looking }> => !['search', 'look'].includes(operation.do),
);

/** Mostly changes; some of them are refused. */
export const anyChange: fc.Arbitrary<AnyChange> = fc.oneof(
  { weight: 24, arbitrary: known },
  {
    weight: 10,
    arbitrary: fc.record({
      do: fc.constant('fill' as const),
      name: dataset,
      children: fc.uniqueArray(numbered('f', 60), { minLength: 8, maxLength: 40 }),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('empty' as const),
      name: dataset,
      count: fc.integer({ min: 1, max: 40 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('unset' as const), name: fc.oneof(file, collection) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('end' as const), name: collection }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('state' as const),
      name: file,
      rse,
      state: fc.constantFrom('A' as const, 'A' as const, 'U' as const, 'C' as const),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('free' as const, 'delete' as const), name: file, rse }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('rule' as const),
      name: kept,
      rse,
      notify: fc.constantFrom('Y', 'N', 'C', 'P'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constantFrom('reprioritise' as const, 'unrule' as const),
      name: kept,
    }),
  },
);

/** Performs a change in a scope, as the routes do. */
export async function perform(context: Context, scope: string, change: AnyChange): Promise<void> {
  const did = { scope, name: change.name };
  switch (change.do) {
    case 'create':
      return addDid(context, did, { type: change.kind });
    case 'attach': {
      const { children, register } = change;
      const files = children.map((name) => ({ scope, name, bytes: bytesOf(name), adler32: '0cc737eb' }));
      const dids = register ? files : children.map((name) => ({ scope, name }));
      return attachDids(context, did, dids, register ? rseNames[0] : undefined);
    }
    case 'fill': {
      const dids = change.children.map((name) => ({ scope, name, bytes: bytesOf(name), adler32: '0cc737eb' }));
      return attachDidsToDids(context, [{ ...did, dids, rse: rseNames[0] }] as never, true);
    }
    case 'empty': {
      const { table } = context.store;
      const edges = await Array.fromAsync(listChildren(table, did));
      return detachDids(
        context,
        did,
        edges.slice(0, change.count).map(({ child }) => child),
      );
    }
    case 'detach':
      return detachDids(
        context,
        did,
        change.children.map((name) => ({ scope, name })),
      );
    case 'open':
      return setStatus(context, did, { open: change.open });
    case 'set':
      return setMetadata(context, did, { key: change.key, value: change.value, recursive: false });
    case 'unset':
      return deleteMetadata(context, did, 'flavour');
    case 'end':
      await hideExpiredDid(context.store, did, context.now, () => true);
      await eraseHiddenDid(context.store, did, context.now, Date.now() + 10_000);
      return undefined;
    case 'state':
      return updateReplicas(context, { rse: change.rse, files: [{ ...did, state: change.state }] as never });
    case 'free':
      return setTombstone(context, [{ ...did, rse: change.rse }]);
    case 'delete':
      return deleteReplicas(context, { rse: change.rse, files: [did], ignore_availability: true });
    case 'rule': {
      const wish = { dids: [did], account: null, copies: 1, rse_expression: change.rse, notify: change.notify };
      await addRules(context, wish);
      return undefined;
    }
    case 'reprioritise':
    case 'unrule': {
      const [id = ''] = await listRuleIds(context.store.table, did);
      return change.do === 'unrule' ? deleteRuleById(context, id) : updateRule(context, id, { priority: 5 });
    }
  }
}
