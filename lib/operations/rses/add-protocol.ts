import type { ProtocolInput } from '../../contract/schemas/rse-protocol.ts';
import { draftProtocol } from '../../domain/rses/protocols/draft-protocol.ts';
import { writeProtocols } from '../../domain/rses/write-protocols.ts';
import type { Context } from '../../domain/values/context.ts';
import { putProtocols } from '../../store/entities/rse-protocol.ts';

/**
 * Adds a protocol to an RSE (spec/rses.md 1.18).
 *
 * @throws RSENotFound (404), AccessDenied (401) and what {@link draftProtocol} throws.
 */
export async function addProtocol(context: Context, name: string, scheme: string, input: ProtocolInput): Promise<void> {
  await writeProtocols(context, name, 'add_protocol', {
    draft: (rse) => putProtocols([draftProtocol(rse, scheme, input)]),
    disabled: (id) => `RSE id '${id}' not found`,
  });
}
