import type { Action } from './actions.ts';

/** Label of an action of a client in the counts. */
export function labelOf(action: Action): string {
  switch (action.do) {
    case 'expiring':
      return nameParts(action.do, action.expiring);
    case 'replication':
      return nameParts(action.do, action.replication);
    case 'opendata':
      return nameParts(action.do, action.opendata);
    case 'operate':
      return nameParts(action.do, action.operation);
    case 'intrude':
      return nameParts(action.do, action.attempt);
    case 'dirac':
      return nameParts(action.do, action.dirac);
    case 'guard':
      return `guard ${action.change.do}`;
    default:
      return action.do;
  }
}

interface Part {
  readonly kind: string;
  readonly change?: object;
}

/** Of changes of a rule the options are named, too. */
function nameParts(client: string, { kind, change = {} }: Part): string {
  const { to, options = change } = change as { readonly to?: string; readonly options?: object };
  const names = to === undefined || to === 'change' ? Object.keys(options) : [];
  return [client, kind, to ?? [], ...names].flat().join(' ');
}
