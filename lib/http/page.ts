import { RucioError } from '../errors.ts';

const pageType = 'text/html';

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

/** Answers an error with a page where a browser asks; other clients get Rucio's JSON. */
export async function failWithPage<T>(headers: Readonly<Record<string, string>>, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof RucioError) || headers['accept']?.includes(pageType) !== true) throw error;
    const { name, message, status, cause } = error;
    const page = makePage('The log-in has failed', `${message}. Please begin again with your Rucio client.`);
    throw new RucioError(name, message, {
      ...(status === undefined ? {} : { status }),
      headers: { ...error.headers, ...page.headers },
      page: page.body,
      cause,
    });
  }
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

const escape = (text: string) => text.replaceAll(/[&<>]/g, (character) => entities[character] ?? character);
