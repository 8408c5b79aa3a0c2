const names = (prefix: string, count: number) => Array.from({ length: count }, (_value, index) => prefix + index);

const archives = ['xf6.zip', 'xf7.zip'];

/** The names that a history uses. */
export const pool = {
  files: names('f', 10),
  many: names('b', 50),
  datasets: names('ds', 5),
  containers: names('ct', 4),
  bulk: names('dsx', 30),
  // In the scope of DIDs with lifetimes: `x`, and the type.
  expiringFiles: [...names('xf', 6), ...archives],
  archives,
  expiringDatasets: names('xd', 3),
  expiringContainers: names('xc', 4),
};

/** The RSE that files are registered on, and those that rules name. */
export const homeRse = 'SIM_HOME';
export const ruleRses = ['SIM_A', 'SIM_B'] as const;
export const rses = [homeRse, ...ruleRses] as const;

/** An RSE that operators delete and create anew. */
export const passingRse = 'SIM_X';

/** A non-deterministic RSE on which anybody may register replicas, and the scope of users who trust it. */
export const openRse = 'SIM_SCRATCHDISK';
export const victimScope = 'xvictim';
