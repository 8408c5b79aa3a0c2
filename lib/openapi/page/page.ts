import type { oas31 } from 'zod-openapi';

import { html, Html, prose } from './html.ts';
import { breakable, type Operation, operationSection } from './operation.ts';
import { style } from './style.ts';

/**
 * The reference page: the whole document as one self-contained HTML text, without scripts or links to other resources.
 *
 * @param documentUrl URL of the document, relative to the page.
 */
export function toPage(document: oas31.OpenAPIObject, documentUrl: string): string {
  const { info, components } = document;
  const groups = Map.groupBy(operationsOf(document), ({ operation }) => operation.tags?.[0] ?? '');
  const introduction = (info.description ?? '').split('\n\n').map((paragraph) => html`<p>${prose(paragraph)}</p>`);
  const chapters = [...groups].map(
    ([tag, operations]) =>
      html`<h2 id="${tag}-routes">${tag}</h2>
        ${operations.map((operation) => operationSection(operation, components))}`,
  );
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${info.title} ${info.version}: REST interface</title>
        <style>
          ${new Html(style)}
        </style>
      </head>
      <body>
        <nav>${[...groups].map(([tag, operations]) => navigation(tag, operations))}</nav>
        <main>
          <h1>${info.title}</h1>
          <p>Version ${info.version} · <a href="${documentUrl}">OpenAPI document</a></p>
          ${introduction} ${chapters}
        </main>
      </body>
    </html>`;
  return page.text.replaceAll(/\n\s+/g, '\n');
}

const methods = ['get', 'post', 'put', 'delete'] as const;

/** Every operation, in the order of paths and methods. */
function operationsOf({ paths = {} }: oas31.OpenAPIObject): Operation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item[method];
      return operation === undefined ? [] : [{ method, path, operation }];
    }),
  );
}

function navigation(tag: string, operations: readonly Operation[]): Html {
  const entries = operations.map(
    ({ method, path, operation }) =>
      html`<li>
        <a href="#${operation.operationId}"><span class="method ${method}">${method}</span>${breakable(path)}</a>
      </li>`,
  );
  return html`<h2><a href="#${tag}-routes">${tag}</a></h2>
    <ul>
      ${entries}
    </ul>`;
}
