import * as z from 'zod/mini';

import { date, looseFlag, mapped } from './common.ts';
import { rseAttribute } from './rse-attribute.ts';
import { unwrapped } from './wrapped.ts';

/** The distance: any integer of 32 bits; a smaller one is nearer. */
export const distanceValue = z.nullish(z.int().check(z.minimum(-(2 ** 31)), z.maximum(2 ** 31 - 1)));

const members = {
  distance: distanceValue,
  ranking: distanceValue.check(z.meta({ description: 'The distance, if `distance` is absent' })),
  bidirectional: looseFlag('bidirectional').check(z.meta({ description: 'Also in the other direction, all or none' })),
};

/** Body that creates or changes a distance (spec/rses.md 1.10). */
export const newDistance = unwrapped(z.object(members));
export type NewDistance = z.output<typeof newDistance>;

const isDistance = (body: object) => !('value' in body) && ('distance' in body || 'ranking' in body);

/**
 * Body of the path that attributes and distances share (spec/rses.md 9.2): with `value` it sets an attribute, otherwise
 * `distance` or `ranking` sets a distance.
 */
export const attributeOrDistance = unwrapped(
  z.union([
    mapped(
      z.looseObject(members).check(z.refine(isDistance, { error: 'no distance' })),
      ({ distance, ranking, bidirectional }) => ({ distance, ranking, bidirectional }),
    ),
    rseAttribute,
  ]),
);
export type AttributeOrDistance = z.output<typeof attributeOrDistance>;

/** A distance (spec/rses.md 4); `ranking` is another name of `distance`. */
const rseDistance = z.object({
  src_rse_id: z.string(),
  dest_rse_id: z.string(),
  src_rse: z.string(),
  dest_rse: z.string(),
  distance: z.nullable(z.int()),
  ranking: z.nullable(z.int()),
  created_at: date,
  updated_at: date,
});

/** The distance of a pair, if one is set. */
export const rseDistanceList = z.array(rseDistance).check(z.maxLength(1));
export type RseDistances = z.input<typeof rseDistanceList>;
