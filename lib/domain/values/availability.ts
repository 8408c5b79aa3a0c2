/** The operations that an RSE allows at present. */
export interface Availability {
  readonly availabilityRead: boolean;
  readonly availabilityWrite: boolean;
  readonly availabilityDelete: boolean;
}

/** Reads the bit mask: read 4, write 2, delete 1; higher bits are ignored (spec/rses.md 2.2). */
export function readAvailabilityMask(mask: number): Availability {
  return {
    availabilityRead: (mask & 4) !== 0,
    availabilityWrite: (mask & 2) !== 0,
    availabilityDelete: (mask & 1) !== 0,
  };
}

/** The bit mask of an availability. */
export function toAvailabilityMask({ availabilityRead, availabilityWrite, availabilityDelete }: Availability): number {
  return (availabilityRead ? 4 : 0) + (availabilityWrite ? 2 : 0) + (availabilityDelete ? 1 : 0);
}
