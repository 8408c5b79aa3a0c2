import type { Action } from './actions.ts';
import type { Reply } from './fleet.ts';

const missingDid = /Data identifier '\w+:([\w.]+)' not found/;

/**
 * Finds what no reply may be, in any state of the catalogue and under any fault: a 500, or a refusal for a DID that the request
 * does not name.
 *
 * @param action What was requested; a text: the path of a request whose body is not known.
 */
export function flawsOfReply(action: Action | string, reply: Reply | undefined): string[] {
  const text = JSON.stringify(action);
  if (reply?.status === 500) return [`${text} was answered 500 ${reply.text}`];
  const missing = missingDid.exec(reply?.text ?? '')?.[1];
  const isForeign = missing !== undefined && typeof action !== 'string' && !text.includes(`"${missing}"`);
  return isForeign ? [`${text} was refused for ${missing}`] : [];
}
