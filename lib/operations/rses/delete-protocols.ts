import { type ProtocolPath, readPort } from '../../domain/rses/protocols/protocol-path.ts';
import { writeProtocols } from '../../domain/rses/write-protocols.ts';
import type { Context } from '../../domain/values/context.ts';
import { fail } from '../../errors.ts';
import { removeProtocols } from '../../store/entities/rse-protocol.ts';

/**
 * Removes the protocols of an RSE that a path names: those of a scheme, of a host, or one (spec/rses.md 1.20).
 *
 * @throws RSENotFound, RSEProtocolNotSupported (404), AccessDenied (401).
 */
export async function deleteProtocols(context: Context, name: string, path: ProtocolPath): Promise<void> {
  const { scheme, hostname, port } = path;
  await writeProtocols(context, name, 'del_protocol', {
    draft: (rse) => {
      const doomed = rse.protocols.filter(
        (protocol) =>
          protocol.scheme === scheme &&
          (hostname === undefined || protocol.hostname === hostname) &&
          (port === undefined || protocol.port === readPort(port)),
      );
      if (doomed.length === 0) fail('RSEProtocolNotSupported', unmatched(name, path));
      return removeProtocols(doomed);
    },
    disabled: (id) => `RSE '${id}' not found`,
  });
}

function unmatched(rse: string, { scheme, hostname, port }: ProtocolPath): string {
  const where = hostname === undefined ? '' : ` for hostname '${hostname}'`;
  return `RSE '${rse}' does not support protocol '${scheme}'${where}${port === undefined ? '' : ` on port '${port}'`}`;
}
