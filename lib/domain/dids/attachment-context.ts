import type { DidKey } from '../../contract/schemas/did.ts';
import type { Table } from '../../store/batches/table.ts';
import type { Rse } from '../../store/entities/rse.ts';
import type { Context } from '../values/context.ts';
import type { DidDraft } from './did-draft.ts';
import type { RegistrationPermission } from './registration-permission.ts';

/** Where files are registered that a request names. */
export interface RegistrationContext {
  readonly context: Context;
  readonly draft: DidDraft;
}

/** What attaching needs to know besides the draft. */
export interface AttachmentContext extends RegistrationContext {
  readonly latest: Table;
  readonly right: RegistrationPermission;
  /** Where the files are registered that are attached, if anywhere. */
  readonly rse: Rse | undefined;
  /** Children that are attached already and to be passed over, as `parent child`. */
  readonly skip?: ReadonlySet<string>;
  /** Datasets that hold an archive which is filled, by the archive as `scope:name`. */
  readonly holders?: ReadonlyMap<string, readonly DidKey[]>;
}
