import { type ProtocolPath, readPort } from '../../domain/rses/protocols/protocol-path.ts';
import { writeProtocols } from '../../domain/rses/write-protocols.ts';
import type { Context } from '../../domain/values/context.ts';
import { fail } from '../../errors.ts';
import { removeProtocols } from '../../store/entities/rse-protocol.ts';

/**
 * Removes the protocols of an RSE that a path selects: all of a scheme, all of a host, or one (spec/rses.md 1.20).
 *
 * @throws RSENotFound, RSEProtocolNotSupported (404), AccessDenied (401).
 */
export async function deleteProtocols(context: Context, name: string, path: ProtocolPath): Promise<void> {
  const { scheme, hostname, port } = path;
  await writeProtocols(context, name, 'del_protocol', {
    draft: (rse) => {
      const selected = rse.protocols.filter(
        (protocol) =>
          protocol.scheme === scheme &&
          (hostname === undefined || protocol.hostname === hostname) &&
          (port === undefined || protocol.port === readPort(port)),
      );
      if (selected.length === 0) fail('RSEProtocolNotSupported', notSupportedText(name, path));
      return removeProtocols(selected);
    },
    disabled: (id) => `RSE '${id}' not found`,
  });
}

function notSupportedText(rse: string, { scheme, hostname, port }: ProtocolPath): string {
  const where = hostname === undefined ? '' : ` for hostname '${hostname}'`;
  return `RSE '${rse}' does not support protocol '${scheme}'${where}${port === undefined ? '' : ` on port '${port}'`}`;
}
