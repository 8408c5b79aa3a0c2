import { isDeepStrictEqual } from 'node:util';

import type { Edge } from '../../store/entities/edge.ts';
import type { ChangeOf } from '../../store/stream/change.ts';
import { formatDid } from '../values/format-did.ts';
import { draftDidEvent, type EventDraft } from './draft-event.ts';
import type { EventFacts } from './event-facts.ts';

/** Events of attaching and detaching. A container gets two of each, as in Rucio: one of the old and one of the new form. */
export function eventsOfEdge({ before, after }: ChangeOf<'edge'>, { owners }: EventFacts): EventDraft[] {
  if (after === undefined) return before === undefined ? [] : detached(before);
  if (before === undefined) return attached(after, owners.get(formatDid(after.parent)));
  const unchanged = isDeepStrictEqual(describe(before), describe(after));
  return unchanged ? [] : [draftDidEvent('UPDATE_ATTACHMENT', after.parent, describe(after))];
}

function attached(edge: Edge, account: string | undefined): EventDraft[] {
  const { parent } = edge;
  const registered = isInContainer(edge)
    ? [draftDidEvent('REGISTER_CNT', parent, { account: account ?? null, ...oldNames(edge) })]
    : [];
  return [draftDidEvent('ATTACH', parent, describe(edge)), ...registered];
}

function detached(edge: Edge): EventDraft[] {
  const { parent } = edge;
  const erased = isInContainer(edge) ? [draftDidEvent('ERASE_CNT', parent, oldNames(edge))] : [];
  return [...erased, draftDidEvent('DETACH', parent, names(edge))];
}

const isInContainer = ({ type }: Edge) => type !== 'FILE';

function oldNames({ child, type }: Edge) {
  return { childscope: child.scope, childname: child.name, childtype: type };
}

function names({ child, type, inArchive }: Edge) {
  const didType = inArchive === true ? 'FILE' : type === 'FILE' ? 'DATASET' : 'CONTAINER';
  return { did_type: didType, child_scope: child.scope, child_name: child.name, child_type: type };
}

/** The child as stored on the attachment. */
function describe(edge: Edge) {
  const { bytes = null, length = null, adler32 = null, md5 = null, guid = null, events = null } = edge;
  return { ...names(edge), bytes, length, adler32, md5, guid, events };
}
