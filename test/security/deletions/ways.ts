import type { Context } from '../../../lib/domain/values/context.ts';
/** The ways in which files, replicas or DIDs come to be deleted. */
import { addDid } from '../../../lib/operations/dids/add-dids.ts';
import { attachDids } from '../../../lib/operations/dids/attach-dids.ts';
import { detachDids } from '../../../lib/operations/dids/detach-dids.ts';
import { setMetadata } from '../../../lib/operations/dids/set-metadata.ts';
import { addReplicas } from '../../../lib/operations/replicas/add-replicas.ts';
import {
  addBadPfns,
  declareBad,
  declareBadDids,
  declareSuspicious,
} from '../../../lib/operations/replicas/declare-replicas.ts';
import { deleteReplicas } from '../../../lib/operations/replicas/delete-replicas.ts';
import { quarantineReplicas } from '../../../lib/operations/replicas/quarantine-replicas.ts';
import { setTombstone } from '../../../lib/operations/replicas/set-tombstone.ts';
import { updateReplicas } from '../../../lib/operations/replicas/update-replicas.ts';
import { reportRequests } from '../../../lib/operations/requests/report-requests.ts';
import { deleteRse } from '../../../lib/operations/rses/delete-rse.ts';
import { setRseLimit } from '../../../lib/operations/rses/rse-limits.ts';
import { setRseAttribute } from '../../../lib/operations/rses/set-attribute.ts';
import { updateRse } from '../../../lib/operations/rses/update-rse.ts';
import { recordRseUsage } from '../../../lib/operations/rses/usage-of-rse.ts';
import { addRules } from '../../../lib/operations/rules/add-rules.ts';
import { deleteRuleById } from '../../../lib/operations/rules/delete-rule.ts';
import { updateRule } from '../../../lib/operations/rules/update-rule.ts';
import { data } from '../../domain/dids/catalogue.ts';
import type { Role } from './world.ts';

/** Target of an action. */
export interface Target {
  readonly role: Role;
  /** A file of the scope `data`, whose last copy is on `FULL`. */
  readonly name: string;
  readonly pfn: string;
  /** A dataset of the scope `data` with the file. */
  readonly dataset: string;
  /** The rule of the owner on the file, if it has one. */
  readonly ruleId: string | undefined;
}

/** A way, and what somebody does who tries it. Each step counts by itself: it may be refused. */
export interface Way {
  readonly title: string;
  readonly steps: (by: () => Context, target: Target) => readonly (() => Promise<unknown>)[];
}

const named = (name: string) => ({ ...data(name), rse: 'FULL' });
const rule = (by: Context, name: string, more: object) =>
  addRules(by, { dids: [data(name)], account: null, copies: 1, rse_expression: 'FULL', ...more });
const report = (by: Context, name: string, state: 'A' | 'U' | 'C' | 'D' | 'T' | 'B') =>
  updateReplicas(by, { rse: 'FULL', files: [{ ...data(name), state }] });

/** Actions on a file, its replica, its rule or a dataset with it. */
export const ways: readonly Way[] = [
  {
    title: 'a rule of one’s own ends',
    steps: (by, { name }) => [() => rule(by(), name, { lifetime: 1 })],
  },
  {
    title: 'a rule of one’s own ends and purges (`purge_replicas`)',
    steps: (by, { name }) => [() => rule(by(), name, { lifetime: 1, purge_replicas: true, comment: 'purges' })],
  },
  {
    title: 'rules of one’s own, and a copy by them, come and go',
    steps: (by, { name }) => [
      () => rule(by(), name, { lifetime: 1, purge_replicas: true, rse_expression: 'OTHER' }),
      () => rule(by(), name, { lifetime: 1, purge_replicas: true }),
      () => updateReplicas(by(), { rse: 'OTHER', files: [{ ...data(name), state: 'A' }] }),
    ],
  },
  {
    title: 'the rule of the owner: `DELETE /rules`, a lifetime by `PUT /rules`',
    steps: (by, { ruleId = '' }) => [
      () => updateRule(by(), ruleId, { lifetime: 1, purge_replicas: true }),
      () => deleteRuleById(by(), ruleId, true),
    ],
  },
  {
    title: 'a lifetime on a dataset of the owner with the file',
    steps: (by, { dataset }) => [
      () => setMetadata(by(), data(dataset), { key: 'lifetime', value: 1, recursive: true }),
    ],
  },
  {
    title: 'a lifetime on a dataset of one’s own with the file, and a rule',
    steps: (by, { role, name }) => {
      const own = { scope: `of-${role}`, name: `ds-${name}` };
      return [
        () => addDid(by(), own, { type: 'DATASET' }),
        () => attachDids(by(), own, [data(name)], undefined),
        () => addRules(by(), { dids: [own], account: null, copies: 1, rse_expression: 'FULL', purge_replicas: true }),
        () => setMetadata(by(), own, { key: 'lifetime', value: 1, recursive: true }),
      ];
    },
  },
  {
    title: 'a lifetime on the file; its detachment',
    steps: (by, { name, dataset }) => [
      () => setMetadata(by(), data(name), { key: 'lifetime', value: 1, recursive: false }),
      () => detachDids(by(), data(dataset), [data(name)]),
    ],
  },
  {
    title: '`DELETE /replicas`',
    steps: (by, { name }) => [
      () => deleteReplicas(by(), { rse: 'FULL', files: [data(name)], ignore_availability: true }),
    ],
  },
  { title: '`POST /replicas/tombstone`', steps: (by, { name }) => [() => setTombstone(by(), [named(name)])] },
  { title: '`PUT /replicas`, state `B`', steps: (by, { name }) => [() => report(by(), name, 'B')] },
  {
    title: '`PUT /replicas`, states `U`, `C`, `T`, `D`',
    steps: (by, { name }) => (['T', 'C', 'D', 'U'] as const).map((state) => () => report(by(), name, state)),
  },
  {
    title: '`POST /replicas/bad`, `/bad/dids`, `/bad/pfns`',
    steps: (by, { name, pfn }) => [
      () => declareBad(by(), { replicas: [named(name)], pfns: [], reason: 'test', force: false }),
      () => declareBadDids(by(), { dids: [data(name)], rse: 'FULL', reason: 'test', expires_at: null }),
      () => addBadPfns(by(), { pfns: [pfn], reason: 'test', state: 'BAD', expires_at: null }),
    ],
  },
  {
    title: '`POST /replicas/suspicious`, temporarily unavailable, `/quarantine`',
    steps: (by, { name, pfn }) => [
      () => declareSuspicious(by(), { pfns: [named(name)], reason: 'test' }),
      () =>
        addBadPfns(by(), {
          pfns: [pfn],
          reason: 'test',
          state: 'TEMPORARY_UNAVAILABLE',
          expires_at: new Date(Date.now() + 3_600_000).toISOString().slice(0, -1),
        }),
      () => quarantineReplicas(by(), { rse: 'FULL', rse_id: null, replicas: [{ path: pfn, ...data(name) }] }),
    ],
  },
  {
    title: 'a copy pretended elsewhere (`POST /replicas`), or again here',
    steps: (by, { name }) =>
      ['OTHER', 'FULL'].map(
        (rse) => () => addReplicas(by(), { rse, files: [{ ...data(name), bytes: 10 }], ignore_availability: false }),
      ),
  },
  {
    title: 'a transfer reported as failed (`POST /requests/report`)',
    steps: (by, { name }) => [
      () =>
        reportRequests(by(), {
          rse: 'FULL',
          requests: [{ ...data(name), lease: 'any', state: 'FAILED', err_msg: 'test' }],
        } as never),
    ],
  },
];

/** Actions on all files of an RSE, and whether the role may do them. */
export const settings: readonly { readonly title: string; readonly act: (by: Context) => Promise<unknown> }[] = [
  {
    title: 'the attributes `reaper`, `greedyDeletion`, `tombstone_delay`',
    act: (by) => setRseAttribute(by, { rse: 'SPARE', key: 'greedyDeletion', value: true }),
  },
  { title: '`MinFreeSpace`', act: (by) => setRseLimit(by, 'SPARE', { name: 'MinFreeSpace', value: 1 }) },
  {
    title: 'the usage that `MinFreeSpace` goes by (`PUT /rses/{rse}/usage`)',
    act: (by) => recordRseUsage(by, 'SPARE', { source: 'storage', used: 1, free: 1, files: null }),
  },
  {
    title: '`availability_delete`, `volatile`, the name (`PUT /rses/{rse}`)',
    act: (by) => updateRse(by, 'SPARE', { availability_delete: true }),
  },
  {
    title: 'the end of an RSE (`DELETE /rses/{rse}`, only without replicas; `POST /import`)',
    act: (by) => deleteRse(by, 'SPARE'),
  },
];
