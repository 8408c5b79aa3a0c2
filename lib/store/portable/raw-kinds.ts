import { accountKeys } from '../keys/account-keys.ts';
import { daemonKeys } from '../keys/daemon-keys.ts';
import { didKeys } from '../keys/did-keys.ts';
import { eventKeys } from '../keys/event-keys.ts';
import { type Key, part } from '../keys/key-parts.ts';
import { metadataIndexKeys } from '../keys/metadata-index-keys.ts';
import { opendataKeys } from '../keys/opendata-keys.ts';
import { owedKeys } from '../keys/owed-keys.ts';
import { replicaKeys } from '../keys/replica-keys.ts';
import { rseKeys } from '../keys/rse-keys.ts';
import { ruleKeys } from '../keys/rule-keys.ts';

const did = { scope: 'scope', name: 'name' };

/** Whether a key begins with the same words as an example of its kind. */
const like = (example: Key, ofPartition: readonly number[], ofSort: readonly number[]) => (key: Key) =>
  ofPartition.every((index) => part(key.PK, index) === part(example.PK, index)) &&
  ofSort.every((index) => part(key.SK, index) === part(example.SK, index));

/** The kinds of items whose keys hold hashes or terms, so that they are told as they are. */
const kinds: readonly (readonly [name: string, isKind: (key: Key) => boolean])[] = [
  ['global-account-limits', like(accountKeys.globalLimit('account', 'expression'), [0], [0, 1])],
  ['rules-of-dids', like(ruleKeys.pointer(did, { account: 'account', rseExpression: 'X', copies: 1 }), [0], [0])],
  ['rse-paths', like(replicaKeys.path('id', 'path'), [0, 2], [])],
  ['quarantined-replicas', like(replicaKeys.quarantined('id', 'path'), [0], [0])],
  ['new-files', like(didKeys.newFiles(0, 'id', 0), [0], [])],
  ['visited-collections', like(ruleKeys.walked('id', 0), [0], [])],
  ['transfer-limits', like({ PK: daemonKeys.transferLimits, SK: '' }, [0], [])],
  ['open-data-counts', like({ PK: opendataKeys.counts, SK: '' }, [0], [])],
  ['metadata-index', like(metadataIndexKeys.entry(did, false, 'key', 'term'), [0], [])],
  ['metadata-index', like(metadataIndexKeys.valueEntry(did, false, 'key', 'term'), [0], [])],
  ['metadata-index', like(metadataIndexKeys.freeKeys('scope', 0), [0], [])],
  ['metadata-index', like(metadataIndexKeys.state, [0], [])],
  ['log-of-events', like(eventKeys.head(0), [0], [])],
  ['owed-changes', like(owedKeys.pack('fast', 0, 0), [0], [])],
  ['version-of-rses', like(rseKeys.version, [0], [0])],
  ['version-of-rses', like(rseKeys.fleetCopy(0), [0], [0])],
];

/** The kind of items that no other kind fits. */
export const otherKind = 'other';

/** The kind of an item whose key is told as it is. */
export function rawKindOf(key: Key): string {
  return kinds.find(([, isKind]) => isKind(key))?.[0] ?? otherKind;
}

/** The names of these kinds. */
export const rawKinds: ReadonlySet<string> = new Set([otherKind, ...kinds.map(([name]) => name)]);
