import type { oas31 } from 'zod-openapi';

import { html, type Html, prose } from './html.ts';
import { describePresence, row, schemaTree } from './schema.ts';

type Schema = oas31.SchemaObject;

/** An operation with its method and path. */
export interface Operation {
  readonly method: string;
  readonly path: string;
  readonly operation: oas31.OperationObject;
}

/** The section of an operation: permission, input, answers. */
export function operationSection({ method, path, operation }: Operation, components: Components): Html {
  const { operationId, summary = '', description = '' } = operation;
  const responses = Object.entries(operation.responses ?? {}).map(
    ([status, response]) => [status, resolve<oas31.ResponseObject>(response, components)] as const,
  );
  return html`<section id="${operationId}">
    <h3><span class="method ${method}">${method}</span> ${breakable(path)}</h3>
    <p class="summary">${prose(summary)}</p>
    <p>${prose(description)} <code>${operationId}</code></p>
    ${parameters((operation.parameters ?? []).map((one) => resolve(one, components)))}${body(operation.requestBody)}
    ${responses.filter(([status]) => status < '400').map(([status, response]) => success(status, response, components))}
    ${errors(responses.filter(([status]) => status >= '400'))}
  </section>`;
}

type Components = oas31.ComponentsObject | undefined;

/** The target of a reference, which names a kind of component and one component. */
function resolve<T extends object>(found: T | oas31.ReferenceObject, components: Components): T {
  if (!('$ref' in found)) return found;
  const [kind = '', name = ''] = found.$ref.replace('#/components/', '').split('/');
  return (components as Record<string, Record<string, T>> | undefined)?.[kind]?.[name] as T;
}

/** A path in which browsers may break lines before slashes. */
export function breakable(path: string): Html {
  return html`<span class="path">${path.split(/(?=\/)/).map((part) => html`<wbr />${part}`)}</span>`;
}

function parameters(all: readonly oas31.ParameterObject[]): Html[] {
  const byPlace = Map.groupBy(all, ({ in: place }) => place);
  return [...byPlace].map(
    ([place, group]) =>
      html`<h4>In the ${place}</h4>
        <ul class="schema">
          ${group.map(parameterRow)}
        </ul>`,
  );
}

function parameterRow({ name, required, schema, description, style }: oas31.ParameterObject): Html {
  const described = { ...(schema as Schema), ...(description === undefined ? {} : { description }) };
  const label = style === 'form' ? 'any other key' : name;
  return html`<li>
    ${row({ schema: described, name: label, presence: describePresence(required === true, 'request') })}
  </li>`;
}

function body(requestBody: oas31.RequestBodyObject | oas31.ReferenceObject | undefined): Html | undefined {
  if (requestBody === undefined || '$ref' in requestBody) return undefined;
  const [schema] = Object.values(requestBody.content).map((media) => media.schema as Schema);
  const optional = requestBody.required === true ? '' : ', may be left out';
  return html`<h4>Body${optional}</h4>
    ${schema && schemaTree(schema, 'request')}`;
}

function success(
  status: string,
  { description, headers, content }: oas31.ResponseObject,
  components: Components,
): Html {
  const [[mediaType, media] = []] = Object.entries(content ?? {});
  const schema = media?.schema as Schema | undefined;
  const rows = Object.entries(headers ?? {}).map(([name, header]) => {
    const { schema: type, description: meaning } = resolve<oas31.HeaderObject>(header, components);
    const described = { ...(type as Schema), ...(meaning === undefined ? {} : { description: meaning }) };
    return html`<li>${row({ schema: described, name: `Header ${name}` })}</li>`;
  });
  return html`<h4>Answer ${status} <code>${mediaType}</code></h4>
    <p>${prose(description)}</p>
    ${
      rows.length === 0
        ? undefined
        : html`<ul class="schema">
            ${rows}
          </ul>`
    }
    ${schema === undefined || schema.type === 'string' ? undefined : schemaTree(schema, 'answer')}`;
}

function errors(responses: readonly (readonly [string, oas31.ResponseObject])[]): Html {
  const rows = responses.map(
    ([status, { description }]) =>
      html`<tr>
        <td>${status}</td>
        <td>${prose(description)}</td>
      </tr>`,
  );
  return html`<h4>Errors</h4>
    <table>
      ${rows}
    </table>`;
}
