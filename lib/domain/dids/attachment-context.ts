import type { DidKey } from '../../contract/schemas/did.ts';
import type { Table } from '../../store/batches/table.ts';
import type { Rse } from '../../store/entities/rse.ts';
import type { Context } from '../values/context.ts';
import type { DidDraft } from './did-draft.ts';
import type { RegistrationPermission } from './registration-permission.ts';

/** Context of the registration of files. */
export interface RegistrationContext {
  readonly context: Context;
  readonly draft: DidDraft;
}

/** Context of the attachment of DIDs. */
export interface AttachmentContext extends RegistrationContext {
  readonly latest: Table;
  readonly permission: RegistrationPermission;
  /** The RSE on which attached files are registered, if any. */
  readonly rse: Rse | undefined;
  /** Existing attachments to skip, as `parent child`. */
  readonly skip?: ReadonlySet<string>;
  /** The parent datasets of each archive that gets constituents, by the archive as `scope:name`. */
  readonly holders?: ReadonlyMap<string, readonly DidKey[]>;
}
