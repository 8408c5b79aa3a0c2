import type { DidType } from '../../contract/schemas/did.ts';
import { oneOf } from '../items/read-attributes.ts';

/** Whether an attribute is a type of DIDs. */
export const isDidType = oneOf<DidType>({ FILE: true, DATASET: true, CONTAINER: true });
