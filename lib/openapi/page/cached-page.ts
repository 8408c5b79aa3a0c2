import type { oas31 } from 'zod-openapi';

import { toPage } from './page.ts';

/**
 * The reference page of a document, rendered on first use and then cached: most cold starts serve only the document.
 *
 * @param documentUrl URL of the document, relative to the page.
 */
export function cachePage(document: oas31.OpenAPIObject, documentUrl: string): () => string {
  let page: string | undefined;
  return () => (page ??= toPage(document, documentUrl));
}
