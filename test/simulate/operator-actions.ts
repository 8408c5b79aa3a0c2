/** Actions of operators amid everything: with accounts, with RSEs, and with the whole deployment. */
import type { ClientRequest } from './client-request.ts';
import { describeFile } from './content.ts';
import { didOf } from './expiring-dids.ts';
import { passingRse, pool, ruleRses } from './names.ts';
import type { Random } from './random.ts';
import { otherAccount } from './replication-actions.ts';
import type { BackupKind } from './restoration.ts';

/** An action of an operator. */
export type OperatorAction =
  /** Suspends the account that has rules, maybe just after it has made one on a dataset that others fill. */
  | { readonly kind: 'suspend'; readonly newRule?: { readonly name: string; readonly rse: string } }
  /** Lets it act again. */
  | { readonly kind: 'activate' }
  /** Deletes that account, by a request or by an import that does not name it. */
  | { readonly kind: 'dismiss'; readonly byImport: boolean }
  /** Imports a list of accounts that names it. */
  | { readonly kind: 'readmit' }
  /** Places something on an RSE that comes and goes, and maybe deletes the RSE at the same time. */
  | { readonly kind: 'settle on'; readonly placement: Placement; readonly deletes: boolean }
  /** Takes replicas and rules away from that RSE, so that it can be deleted. */
  | { readonly kind: 'vacate'; readonly files: readonly string[] }
  /** The machine fails, and its backup goes on. */
  | { readonly kind: 'restore'; readonly backup: BackupKind }
  /** Creates that RSE anew. */
  | { readonly kind: 'found' }
  /** Sets metadata of a file until its item is full. */
  | { readonly kind: 'fatten'; readonly name: string };

/** Operations that place something on an RSE. */
type Placement =
  | { readonly by: 'replicas'; readonly files: readonly string[] }
  | { readonly by: 'rule'; readonly name: string };

/** Draws an action. */
export function drawOperatorAction(random: Random): OperatorAction {
  const kind = random.weighed({
    suspend: 2,
    activate: 2,
    dismiss: 1,
    readmit: 1,
    'settle on': 6,
    vacate: 2,
    found: 3,
    fatten: 1,
    restore: 1,
  });
  switch (kind) {
    case 'restore':
      return { kind, backup: random.pick(['export', 'copy'] as const) };
    case 'suspend': {
      const newRule = { name: random.pick(pool.datasets), rse: random.pick(ruleRses) };
      return random.chance(0.7) ? { kind, newRule } : { kind };
    }
    case 'dismiss':
      return { kind, byImport: random.chance(0.5) };
    case 'settle on': {
      const name = random.pick([...pool.datasets, ...pool.expiringDatasets]);
      const placement: Placement = random.chance(0.5)
        ? { by: 'replicas', files: random.some(pool.expiringFiles, 1 + random.below(3)) }
        : { by: 'rule', name };
      return { kind, placement, deletes: random.chance(0.6) };
    }
    case 'vacate':
      return { kind, files: pool.expiringFiles };
    case 'fatten':
      return { kind, name: random.pick(pool.expiringFiles) };
    default:
      return { kind };
  }
}

const path = `/accounts/${otherAccount}`;

const listed = (account: string) => ({ account, email: `${account}@example.org` });

/** Characters of a value of metadata, and how many of them an item can not hold. */
const [fatLength, fatKeys] = [45_000, 10];

/** The requests that carry out an action; those of one list at the same time. */
export function requestsOfOperator(
  scope: string,
  action: Exclude<OperatorAction, { kind: 'restore' }>,
): readonly (readonly ClientRequest[])[] {
  switch (action.kind) {
    case 'suspend': {
      const { newRule } = action;
      const suspension = { method: 'PUT', path, body: { status: 'SUSPENDED' } };
      return newRule === undefined
        ? [[suspension]]
        : [[requestOfRule(scope, newRule.name, newRule.rse, otherAccount)], [suspension]];
    }
    case 'activate':
      return [[{ method: 'PUT', path, body: { status: 'ACTIVE' } }]];
    case 'dismiss':
      return [
        [
          action.byImport
            ? { method: 'POST', path: '/import', body: { accounts: [listed('root')] } }
            : { method: 'DELETE', path },
        ],
      ];
    case 'readmit':
      return [[{ method: 'POST', path: '/import', body: { accounts: ['root', otherAccount].map(listed) } }]];
    case 'settle on': {
      const deletion = { method: 'DELETE', path: `/rses/${passingRse}` };
      return [[requestOfPlacement(scope, action.placement), ...(action.deletes ? [deletion] : [])]];
    }
    case 'vacate': {
      const files = action.files.map((name) => didOf(scope, name));
      return [[{ method: 'DELETE', path: '/replicas', body: { rse: passingRse, files } }]];
    }
    case 'found':
      return [
        [{ method: 'POST', path: `/rses/${passingRse}`, body: {} }],
        ['root', otherAccount].map((account) => ({
          method: 'POST',
          path: `/accounts/${account}/limits/local/${passingRse}`,
          body: { bytes: -1 },
        })),
      ];
    case 'fatten':
      return Array.from({ length: fatKeys }, (_value, index) => {
        const did = didOf(scope, action.name);
        const meta = { [`fat${index}`]: 'x'.repeat(fatLength) };
        return [{ method: 'POST', path: `/dids/${did.scope}/${did.name}/meta`, body: { meta } }];
      });
  }
}

function requestOfPlacement(scope: string, placement: Placement): ClientRequest {
  if (placement.by === 'rule') return requestOfRule(scope, placement.name, passingRse, 'root');
  const files = placement.files.map((name) => ({ ...didOf(scope, name), ...describeFile(didOf(scope, name)) }));
  return { method: 'POST', path: '/replicas', body: { rse: passingRse, files } };
}

function requestOfRule(scope: string, name: string, rse: string, account: string): ClientRequest {
  const body = { dids: [didOf(scope, name)], account, copies: 1, rse_expression: rse };
  return { method: 'POST', path: '/rules/', body };
}
