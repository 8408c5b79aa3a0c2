import type { Row } from './rows.ts';

/** The events of a dataset are the sum over its files, and attachments repeat those of the file. */
export function flawsOfEvents(name: string, row: Row, files: readonly Row[], rows: ReadonlyMap<string, Row>): string[] {
  const flaws: string[] = [];
  let sum = 0;
  for (const file of files) {
    const own = Number(rows.get(String(file['name']))?.['events'] ?? 0);
    const attached = Number(file['events'] ?? 0);
    if (own !== attached) {
      flaws.push(`${String(file['name'])} has ${own} events, in ${name} it has ${attached}`);
    }
    sum += own;
  }
  // A dataset has no sum until it is closed or the events of one of its files are set.
  if (row['events'] !== null && row['events'] !== undefined && Number(row['events']) !== sum)
    flaws.push(`${name} has ${Number(row['events'])} events, its files have ${sum}`);
  return flaws;
}
