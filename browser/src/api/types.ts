/** The answers of the interface, as the contract declares them. */
import type * as z from 'zod/mini';

import type { browser } from '../../../lib/contract/browser.ts';
import type { didSearch } from '../../../lib/contract/did-search.ts';
import type { badStateLine, suspiciousReplica } from '../../../lib/contract/schemas/bad-replica.ts';
import type { historyLine } from '../../../lib/contract/schemas/did-lists.ts';
import type { contentLine, did, fileLine, parentLine } from '../../../lib/contract/schemas/did.ts';
import type { requestMetrics } from '../../../lib/contract/schemas/request.ts';
import type { rule } from '../../../lib/contract/schemas/rule.ts';

export type { AccountAnswer, AccountLine, Attribute } from '../../../lib/contract/schemas/account.ts';
export type { GlobalUsage, LocalUsage } from '../../../lib/contract/schemas/account-limit.ts';
export type { Configuration } from '../../../lib/contract/schemas/config.ts';
export type { CatalogueEvent } from '../../../lib/contract/schemas/event.ts';
export type { Heartbeat } from '../../../lib/contract/schemas/heartbeat.ts';
export type { IdentityLine } from '../../../lib/contract/schemas/identity.ts';
export type { DatasetLockLine, ReplicaLockLine } from '../../../lib/contract/schemas/lock.ts';
export type {
  DatasetReplicaLine,
  DeletableReplicaLine,
  DumpedReplicaLine,
  ReplicaLine,
} from '../../../lib/contract/schemas/replica.ts';
export type { RequestLine } from '../../../lib/contract/schemas/request.ts';
export type { RseAttributes } from '../../../lib/contract/schemas/rse-attribute.ts';
export type { RseLimits } from '../../../lib/contract/schemas/rse-limit.ts';
export type { AccountUsageLine, PastUsageLine, UsageLine } from '../../../lib/contract/schemas/rse-usage.ts';
export type { RseRecord, RseSettings } from '../../../lib/contract/schemas/rse.ts';
export type { RuleAnalysis, RuleHistoryLine } from '../../../lib/contract/schemas/rule.ts';
export type {
  SubscriptionFailure,
  SubscriptionMatch,
  SubscriptionRecord,
} from '../../../lib/contract/schemas/subscription.ts';
export type { TransferLimitLine } from '../../../lib/contract/schemas/transfer-limit.ts';

/** What the server says before a log-in. */
export type PageSettings = z.input<(typeof browser.routes.getPageSettings)['answer']['schema']>;

/** A DID. */
export type Did = z.input<typeof did>;
/** A line of the content of a collection. */
export type ContentLine = z.input<typeof contentLine>;
/** A file of a collection. */
export type FileLine = z.input<typeof fileLine>;
/** A parent of a DID. */
export type ParentLine = z.input<typeof parentLine>;
/** Former content of a collection. */
export type HistoryLine = z.input<typeof historyLine>;
/** A distance between two RSEs. */
export type DistanceLine = z.input<typeof requestMetrics>;
/** A replication rule. */
export type Rule = z.input<typeof rule>;

type SearchAnswer = z.input<typeof didSearch.searchDids.answer.schema>;
/** A row of a search with `long`. */
export type FoundDid = Extract<SearchAnswer, { did_type: unknown }>;
/** How a search was carried out. */
export type Explanation = Extract<SearchAnswer, { plan: unknown }>;

/** A replica that was declared suspicious. */
export type SuspiciousReplica = z.input<typeof suspiciousReplica>;
/** A line of the log of bad replicas. */
export type BadStateLine = Exclude<z.input<typeof badStateLine>, string>;
