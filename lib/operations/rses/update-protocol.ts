import type { ProtocolInput } from '../../contract/schemas/rse-protocol.ts';
import { protocolNotSupportedText, redraftProtocol } from '../../domain/rses/protocols/draft-protocol.ts';
import { type ProtocolPath, readPort } from '../../domain/rses/protocols/protocol-path.ts';
import { writeProtocols } from '../../domain/rses/write-protocols.ts';
import type { Context } from '../../domain/values/context.ts';
import { fail } from '../../errors.ts';
import { putProtocols } from '../../store/entities/rse-protocol.ts';

/**
 * Changes a protocol of an RSE (spec/rses.md 1.19). The path must have all three parts.
 *
 * @throws RSENotFound, RSEProtocolNotSupported (404), AccessDenied (401) and what {@link redraftProtocol} throws.
 */
export async function updateProtocol(
  context: Context,
  name: string,
  path: ProtocolPath,
  input: ProtocolInput,
): Promise<void> {
  const { scheme, hostname } = path;
  const port = readPort(path.port);
  await writeProtocols(context, name, 'update_protocol', {
    draft: (rse) => {
      if (hostname === undefined || port === undefined)
        fail('RSEProtocolNotSupported', protocolNotSupportedText(rse, path));
      return putProtocols([redraftProtocol(rse, { scheme, hostname, port }, input)]);
    },
    disabled: (id) => `RSE with id '${id}' not found`,
  });
}
