/** The most of a document that is read, in bytes. */
const maxDocumentBytes = 1_048_576;

/** The options of `fetch`, of which any may be undefined, as libraries pass them. */
type DocumentOptions = { readonly [Name in keyof RequestInit]: RequestInit[Name] | undefined };

/**
 * Fetches a document of another service whole, such as its keys: what is longer than a megabyte is not read to its end.
 *
 * @throws Error if it is longer, or there is no answer.
 */
export async function fetchDocument(url: string | URL, options: DocumentOptions = {}): Promise<Response> {
  const answer = await fetch(url, options as RequestInit);
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of answer.body ?? []) {
    parts.push(part);
    bytes += part.length;
    // Leaving the loop cancels the rest of the body.
    if (bytes > maxDocumentBytes) throw new Error(`${new URL(url).host} sends a document without end`);
  }
  return new Response(bytes === 0 ? null : Buffer.concat(parts), { status: answer.status, headers: answer.headers });
}
