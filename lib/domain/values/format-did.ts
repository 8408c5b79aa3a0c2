import type { DidKey } from '../../contract/schemas/did.ts';

/** A DID as `scope:name`, for messages and as a key of maps. */
export function formatDid({ scope, name }: DidKey): string {
  return `${scope}:${name}`;
}
