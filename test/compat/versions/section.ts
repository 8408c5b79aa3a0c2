/** The part of docs/compatibility.md about versions of the client and tools of others. */
import { renderTable } from '../../support/markdown.ts';
import { type Count, readCounts } from './counts.ts';

/** Renders it from the recorded results. */
export async function versionsSection(): Promise<string[]> {
  const [versions, tools] = await Promise.all([readCounts('versions'), readCounts('tools')]);
  const total = versions.counts.reduce((sum, count) => sum + count.works, 0);
  const tried = versions.counts.reduce((sum, count) => sum + count.tried, 0);
  const commands = versions.commands ?? [];
  return [
    '## Versions of the client',
    `The oldest and the newest of five lines, each with Python 3.11, run ${commands.length} commands against a server as \`npm start\`
     makes it: ${total} of ${tried} do what they should. Exit status, output and what is stored then are checked. The commands
     are spelt as \`rucio-admin account add\` or as \`rucio account add\`; a host is \`rucio_host\` and \`auth_host\`.`,
    renderTable(
      ['Client', 'Spelling and host', 'As expected', 'Since'],
      versions.counts.map((count) => [count.name, count.way ?? '', score(count), count.date]),
    ),
    `The commands: ${commands.join('; ')}.`,
    '## Tools of others',
    'Each runs its own calls against such a server; what it returns and stores is checked.',
    renderTable(
      ['Tool', 'As expected', 'Differs', 'Since'],
      tools.counts.map((count) => [count.name, score(count), count.differs.join('; '), count.date]),
    ),
  ];
}

function score({ works, tried }: Count): string {
  return `${works} of ${tried}`;
}
