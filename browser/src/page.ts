/** Properties of every page: the parts of its place behind its own name, and the query. */
export interface PageProps {
  readonly parts: readonly string[];
  readonly query: URLSearchParams;
}
