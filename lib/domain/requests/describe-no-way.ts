import type { Rse } from '../../store/entities/rse.ts';
import type { CopyPfn } from './copy-pfn.ts';
import type { RequestDetails } from './describe-request.ts';

/** The most sources that the reason names. */
const maxNamed = 3;

/**
 * Why a mover makes no copy, for the rule that waits for it.
 *
 * @param way.place Where the copy would be; undefined: the mover cannot write there.
 */
export function describeNoWay(
  { destination, sources }: Pick<RequestDetails, 'destination' | 'sources'>,
  way: { readonly mover: string; readonly schemes: readonly string[] | undefined; readonly place: CopyPfn | undefined },
): string {
  const { mover, schemes = [], place } = way;
  const known = `The mover ${mover} uses the schemes ${schemes.join(', ')}`;
  if (place === undefined) {
    const isServed = destination.protocols.some(({ scheme }) => schemes.includes(scheme));
    if (!isServed) return `${known}; ${destination.rse}, the destination, has ${describeSchemes(destination)}.`;
    return destination.deterministic
      ? `No protocol of ${destination.rse} with the schemes ${schemes.join(', ')} writes.`
      : `Nothing tells the path of the copy on ${destination.rse}: it has no naming_convention that does.`;
  }
  const named = sources.slice(0, maxNamed).map((rse) => `${rse.rse} has ${describeSchemes(rse)}`);
  const more = sources.length > maxNamed ? `, and ${sources.length - maxNamed} more` : '';
  return `${known}; no source can be read by them: ${named.join(', ')}${more}.`;
}

function describeSchemes({ protocols }: Rse): string {
  const schemes = [...new Set(protocols.map(({ scheme }) => scheme))];
  return schemes.length === 0 ? 'no protocol' : schemes.join(' and ');
}
