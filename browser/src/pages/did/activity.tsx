import type { Did } from '../../api/types.ts';
import { EventList } from '../../ui/event-list.tsx';
import { DidHistory } from './history.tsx';
import { DidParents, Followers } from './parents.tsx';

/** Where a DID belongs, what happens to it, and what happened before. */
export function DidActivity({ did }: { did: Did }) {
  return (
    <>
      <DidParents did={did} />
      <EventList query={{ subject: `${did.scope}:${did.name}` }} heading="What happens to this DID" />
      <DidHistory did={did} />
      <Followers did={did} />
    </>
  );
}
