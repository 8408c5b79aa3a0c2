/** The error of a write that meets an existing item. An import never makes it: it puts items whatever is there. */
export const makeRaceError = () => new Error('an import does not race');
