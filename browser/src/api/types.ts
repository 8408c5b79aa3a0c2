/** The answers of the interface, as the contract declares them. */
import type * as z from 'zod/mini';

import type { browser } from '../../../lib/contract/browser.ts';
import type { didSearch } from '../../../lib/contract/did-search.ts';
import type { badStateLine } from '../../../lib/contract/schemas/bad-replica.ts';
import type { contentLine, did, fileLine } from '../../../lib/contract/schemas/did.ts';
import type { requestMetrics } from '../../../lib/contract/schemas/request.ts';
import type { rule } from '../../../lib/contract/schemas/rule.ts';

export type { GlobalUsage, LocalUsage } from '../../../lib/contract/schemas/account-limit.ts';
export type { DatasetLockLine, ReplicaLockLine } from '../../../lib/contract/schemas/lock.ts';
export type { DeletableReplicaLine, ReplicaLine } from '../../../lib/contract/schemas/replica.ts';
export type { RequestLine } from '../../../lib/contract/schemas/request.ts';
export type { RseAttributes } from '../../../lib/contract/schemas/rse-attribute.ts';
export type { RseLimits } from '../../../lib/contract/schemas/rse-limit.ts';
export type { UsageLine } from '../../../lib/contract/schemas/rse-usage.ts';
export type { RseRecord, RseSettings } from '../../../lib/contract/schemas/rse.ts';
export type { RuleAnalysis } from '../../../lib/contract/schemas/rule.ts';
export type { SubscriptionRecord } from '../../../lib/contract/schemas/subscription.ts';

/** Settings of the page, readable without a log-in. */
export type PageSettings = z.input<(typeof browser.routes.getPageSettings)['answer']['schema']>;

/** A DID. */
export type Did = z.input<typeof did>;
/** A line of the content of a collection. */
export type ContentLine = z.input<typeof contentLine>;
/** A file of a collection. */
export type FileLine = z.input<typeof fileLine>;
/** A distance between two RSEs. */
export type DistanceLine = z.input<typeof requestMetrics>;
/** A replication rule. */
export type Rule = z.input<typeof rule>;

type SearchAnswer = z.input<typeof didSearch.searchDids.answer.schema>;
/** A row of a search with `long`. */
export type FoundDid = Extract<SearchAnswer, { did_type: unknown }>;
/** How a search was carried out. */
export type Explanation = Extract<SearchAnswer, { plan: unknown }>;

/** A line of the log of bad replicas. */
export type BadStateLine = Exclude<z.input<typeof badStateLine>, string>;
