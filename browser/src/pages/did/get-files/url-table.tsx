import type { ReplicaLine } from '../../../api/types.ts';
import { CopyButton } from '../../../ui/basics.tsx';
import { Bytes, DidLink, RseLink } from '../../../ui/values.tsx';
import type { FileUrl } from './file-list.ts';

/** Files with their URLs, each to copy, and to download where a browser can. */
export function UrlTable({
  lines,
  scope,
}: {
  lines: readonly { readonly line: ReplicaLine; readonly urls: readonly FileUrl[] }[];
  /** Names of this scope are shown without it. */
  scope: string;
}) {
  return (
    <div class="table-frame">
      {/* Stacked rows are no table to a browser any more, so the roles are said. */}
      <table role="table" class="stacked">
        <caption class="visually-hidden">Files and their URLs</caption>
        <thead role="rowgroup">
          <tr role="row">
            {['File', 'RSE', 'URL', 'Get'].map((head) => (
              <th key={head} scope="col" role="columnheader">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {lines.flatMap(({ line, urls }) =>
            urls.length === 0
              ? [<Row key={`${line.scope}:${line.name}`} line={line} scope={scope} of={undefined} isFirst />]
              : urls.map((one, i) => <Row key={one.url} line={line} scope={scope} of={one} isFirst={i === 0} />),
          )}
        </tbody>
      </table>
    </div>
  );
}

function Row({
  line,
  scope,
  of: found,
  isFirst,
}: {
  line: ReplicaLine;
  scope: string;
  of: FileUrl | undefined;
  /** The others are further URLs of the same file. */
  isFirst: boolean;
}) {
  return (
    <tr role="row">
      <td role="cell">
        {isFirst && (
          <>
            <DidLink scope={line.scope} name={line.name} withScope={line.scope !== scope} />{' '}
            <span class="hint">
              <Bytes of={line.bytes} />
            </span>
          </>
        )}
      </td>
      <td role="cell" class="one-line">
        {found !== undefined && <RseLink rse={found.rse} />}
      </td>
      <td role="cell" class="row-lead">
        {found === undefined ? (
          <span class="absent">no replica that can be read</span>
        ) : (
          <code class="url">
            <bdi>{found.url}</bdi>
          </code>
        )}
      </td>
      <td role="cell" class="one-line">
        {found !== undefined && (
          <div class="actions">
            <CopyButton text={found.url} label="Copy" />
            {isForBrowsers(found.url) && (
              <a href={found.url} rel="noreferrer" target="_blank" download>
                Download{isSigned(found.url) ? ' (signed)' : ''}
              </a>
            )}
          </div>
        )}
      </td>
    </tr>
  );
}

/** Whether a browser can follow a URL; others, and texts that only look like one, are never links. */
function isForBrowsers(url: string): boolean {
  const parsed = URL.parse(url);
  return parsed !== null && ['http:', 'https:'].includes(parsed.protocol);
}

/** Whether a URL carries the signature of an object store, so that no further right is needed for some minutes. */
function isSigned(url: string): boolean {
  return /[?&](X-Amz-Signature|X-Goog-Signature|Signature|temp_url_sig)=/i.test(url);
}
