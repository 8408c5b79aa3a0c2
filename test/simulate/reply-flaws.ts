import type { Action } from './actions.ts';
import type { Reply } from './fleet.ts';

const missingDid = /Data identifier '\w+:([\w.]+)' not found/;

/** Operations that write nothing of users: the additions of the service have room in an item beside the values of users. */
const withoutContent = new Set(['replication', 'state', 'rule', 'unrule']);

/**
 * Finds what no reply may be, in any state of the catalogue and under any fault: a 500, a refusal for a DID that the request
 * does not name, or for an item that is full of something else.
 *
 * @param action What was requested; a text: the path of a request whose body is not known.
 */
export function flawsOfReply(action: Action | string, reply: Reply | undefined): string[] {
  const text = JSON.stringify(action);
  if (reply?.status === 500) return [`${text} was answered 500 ${reply.text}`];
  const addsContent = typeof action === 'string' ? !action.startsWith('/requests') : !withoutContent.has(action.do);
  if (reply?.status === 413 && !addsContent) return [`${text} was answered 413 ${reply.text}`];
  const missing = missingDid.exec(reply?.text ?? '')?.[1];
  const isForeign = missing !== undefined && typeof action !== 'string' && !text.includes(`"${missing}"`);
  return isForeign ? [`${text} was refused for ${missing}`] : [];
}
