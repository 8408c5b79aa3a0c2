/** One file of the page for browsers. */
export interface PageFile {
  readonly mediaType: string;
  readonly text: string;
}

/** The built page. Names of files have a hash of their content. */
export interface PageFiles {
  /** The HTML, with {@link baseMark} where the URL of its folder belongs. */
  readonly html: string;
  readonly files: Readonly<Record<string, PageFile>>;
}

/** The name of the built page, beside the bundle of its function. */
export const pageFileName = 'page.json';

/** The name of the OpenAPI document, beside the bundle of the function that serves it. */
export const documentFileName = 'openapi.json';

/** Stands in the HTML for the path of the page, which depends on the gateway's stage. */
export const baseMark = '{{base}}';

/** The built pages, by the function that serves them. */
export const pageNames = ['browser', 'openapi'] as const;
export type PageName = (typeof pageNames)[number];

/** Whether a function serves a built page. */
export function isPageName(name: string): name is PageName {
  return pageNames.some((page) => page === name);
}

/** The answer with the HTML of a built page. */
export const pageAnswer = {
  kind: 'text',
  mediaType: 'text/html; charset=utf-8',
  replies: {
    200: { description: 'The page' },
    304: { description: 'The page is the one that `If-None-Match` names.' },
  },
} as const;

/** The answer with a file of a built page. */
export const pageFileAnswer = {
  kind: 'text',
  mediaType: 'text/javascript; charset=utf-8',
  replies: {
    200: { description: 'The file, with its own media type; it never changes.' },
    304: { description: 'The caller has the file.' },
  },
} as const;
