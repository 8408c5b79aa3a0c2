import type { RucioError } from '../errors.ts';

/** The media type of pages, by which routes offer them. */
export const pageType = 'text/html';

/** No page loads or sends anything, is part of another one, or tells others its URL, which may hold a code. */
const pageHeaders = {
  'Content-Type': `${pageType}; charset=utf-8`,
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
};

/** A page for the user of a browser; `code` is shown for copying. Texts are escaped. */
export function makePage(title: string, text: string, code?: string) {
  const lines = [
    '<!DOCTYPE html>',
    `<html lang="en"><head><meta charset="utf-8"><title>${escape(title)}</title></head>`,
    `<body><h1>${escape(title)}</h1><p>${escape(text)}</p>${code === undefined ? '' : `<pre>${escape(code)}</pre>`}</body></html>`,
    '',
  ];
  return { headers: pageHeaders, body: lines.join('\n') };
}

/** The page for an error. */
export function makeErrorPage({ message }: RucioError) {
  return makePage('The log-in has failed', `${message}. Please begin again with your Rucio client.`);
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

const escape = (text: string) => text.replaceAll(/[&<>]/g, (character) => entities[character] ?? character);
