/** Commands that have a case, and whose case fails. One that begins to work fails the suite until it is taken from here. */
export const commandsNotYet: Readonly<Record<string, string>> = {};

/** Groups of commands without cases. */
export const groupsNotYet: Readonly<Record<string, string>> = {
  opendata: 'not in the interface document',
};
