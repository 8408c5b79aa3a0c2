/** The name of a backup: its time in UTC, which orders names as it orders backups. */
export function backupName(at: Date): string {
  return `dapple-${at.toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`;
}

/** The time in the name of a backup, in milliseconds since 1970; undefined: it is no name of one. */
export function timeOfBackup(name: string): number | undefined {
  const [, year, month, day, hour, minute, second] =
    /^dapple-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(name) ?? [];
  return year === undefined ? undefined : Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
}
