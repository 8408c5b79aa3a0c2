import type { Scenario } from '../types.ts';
import { accountLimits } from './account-limits.ts';
import { accounts } from './accounts.ts';
import { auth } from './auth.ts';
import { badReplicas } from './bad-replicas.ts';
import { config } from './config.ts';
import { datasetReplicas } from './dataset-replicas.ts';
import { didAttach } from './did-attach.ts';
import { didAttachments } from './did-attachments.ts';
import { didBulkCreate } from './did-bulk-create.ts';
import { didBulkMetadata } from './did-bulk-metadata.ts';
import { didCreate } from './did-create.ts';
import { didMetadata } from './did-metadata.ts';
import { didOthers } from './did-others.ts';
import { didRead } from './did-read.ts';
import { dirac } from './dirac.ts';
import { heartbeats } from './heartbeats.ts';
import { importExport } from './import-export.ts';
import { lifetimeExceptions } from './lifetime-exceptions.ts';
import { opendata } from './opendata.ts';
import { pfns } from './pfns.ts';
import { replicas } from './replicas.ts';
import { requests } from './requests.ts';
import { rseAttributes } from './rse-attributes.ts';
import { rseDistances } from './rse-distances.ts';
import { rseExpressions } from './rse-expressions.ts';
import { rseProtocols } from './rse-protocols.ts';
import { rseUsage } from './rse-usage.ts';
import { rses } from './rses.ts';
import { ruleCreation } from './rule-creation.ts';
import { ruleLife } from './rule-life.ts';
import { ruleMoves } from './rule-moves.ts';
import { scopeListing } from './scope-listing.ts';
import { scopes } from './scopes.ts';
import { search } from './search.ts';
import { subscriptions } from './subscriptions.ts';
import { traces } from './traces.ts';
import { transferLimits } from './transfer-limits.ts';

/** All scenarios, in the order in which they are recorded. */
export const scenarios: readonly Scenario[] = [
  accounts,
  auth,
  accountLimits,
  rses,
  rseAttributes,
  rseUsage,
  rseProtocols,
  rseDistances,
  rseExpressions,
  scopes,
  didCreate,
  didBulkCreate,
  didRead,
  didAttach,
  didAttachments,
  didMetadata,
  didBulkMetadata,
  search,
  scopeListing,
  didOthers,
  config,
  importExport,
  replicas,
  badReplicas,
  ruleCreation,
  ruleLife,
  requests,
  subscriptions,
  lifetimeExceptions,
  datasetReplicas,
  pfns,
  ruleMoves,
  traces,
  transferLimits,
  heartbeats,
  opendata,
  dirac,
];
