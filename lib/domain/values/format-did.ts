import type { DidKey } from '../../contract/schemas/did.ts';

/** `scope:name`, as messages name a DID. */
export function formatDid({ scope, name }: DidKey): string {
  return `${scope}:${name}`;
}
