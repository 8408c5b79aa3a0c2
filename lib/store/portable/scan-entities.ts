import { isHidden, toDid } from '../entities/did-item.ts';
import type { Did } from '../entities/did.ts';
import { type Edge, toEdge } from '../entities/edge.ts';
import { type Rule, toRule } from '../entities/rule.ts';
import { didItems } from '../keys/did-keys.ts';
import { hasPrefix } from '../keys/key-parts.ts';
import { ruleItems } from '../keys/rule-keys.ts';
import type { Store } from '../open-store.ts';
import { scanItems } from './scan-items.ts';

/** A DID, an attachment or a rule of the catalogue. */
export type Scanned =
  | { readonly kind: 'did'; readonly did: Did }
  | { readonly kind: 'edge'; readonly edge: Edge }
  | { readonly kind: 'rule'; readonly rule: Rule };

/** Reads all DIDs, attachments and rules, in the order of the table. */
export async function* scanEntities(store: Store): AsyncGenerator<Scanned> {
  for await (const item of scanItems(store)) {
    if (hasPrefix(item, didItems.did)) {
      const did = isHidden(item) ? undefined : toDid(item);
      if (did !== undefined) yield { kind: 'did', did };
    } else if (hasPrefix(item, didItems.edge)) yield { kind: 'edge', edge: toEdge(item) };
    else if (hasPrefix(item, ruleItems.rule)) yield { kind: 'rule', rule: toRule(item) };
  }
}
