import type { RequestLine } from '../../api/types.ts';

/** The port at which FTS3 shows its jobs to people, whatever its own. */
const monitorPort = '8449';

/** The job of an FTS3 server that makes a copy, with a link to the server's monitor. Nothing where no job is known. */
export function JobLink({ of: { external_id: id, external_host: host } }: { of: RequestLine }) {
  if (id === null) return null;
  const url = monitorUrl(host, id);
  const named = <bdi class="name">{id}</bdi>;
  return (
    <>
      Job{' '}
      {url === undefined ? (
        named
      ) : (
        <a href={url} target="_blank" rel="noreferrer">
          {named}
        </a>
      )}
      .{' '}
    </>
  );
}

/** The mover tells the host: only one that is reached by TLS becomes a link. */
function monitorUrl(host: string | null, id: string): string | undefined {
  if (host === null || !URL.canParse(host)) return undefined;
  const { protocol, hostname } = new URL(host);
  return protocol === 'https:'
    ? `https://${hostname}:${monitorPort}/fts3/ftsmon/#/job/${encodeURIComponent(id)}`
    : undefined;
}
