import { writeJson } from '../api/json.ts';
import { PageHead, Section } from '../ui/basics.tsx';
import type { DescribedAnswer, Operation, Parameter } from './document.ts';
import { exampleOf } from './example.ts';
import { Prose } from './prose.tsx';
import { describePresence, SchemaRow, SchemaView } from './schema-view.tsx';
import { TryRequest } from './try-request.tsx';

/** All about an operation, and a form to try it. */
export function OperationView({ of: operation }: { of: Operation }) {
  const { method, path, summary, description, parameters, body, answers, errors, id } = operation;
  return (
    <>
      <PageHead
        title={`${method} ${path}`}
        heading={<Prose text={summary} />}
        lead={
          <>
            <p class="operation-path">
              <Method of={method} /> <span class="name">{breakable(path)}</span>
            </p>
            <p>
              <Prose text={description} /> <code>{id}</code>
            </p>
          </>
        }
      />
      <div class="reference-columns">
        <div>
          {parameters.length > 0 && <Parameters of={parameters} />}
          {body !== undefined && (
            <Section heading={body.isRequired ? 'Body' : 'Body, may be left out'}>
              <SchemaView of={body.schema} direction="request" />
              <Example of={body.schema} heading="An example of the body" />
            </Section>
          )}
          {answers.map((answer) => (
            <AnswerView key={answer.status} of={answer} />
          ))}
          {errors.length > 0 && (
            <Section heading="Errors">
              <dl class="facts">
                {errors.map((error) => (
                  <div key={error.status}>
                    <dt>{error.status}</dt>
                    <dd>
                      <Prose text={error.description} />
                    </dd>
                  </div>
                ))}
              </dl>
            </Section>
          )}
        </div>
        <Section heading="Try it">
          <TryRequest operation={operation} />
        </Section>
      </div>
    </>
  );
}

/** A method, told apart by its word. */
export function Method({ of: method }: { of: string }) {
  return (
    <span class="method" data-method={method.toLowerCase()}>
      {method}
    </span>
  );
}

/** A path in which browsers may break lines before slashes. */
function breakable(path: string) {
  return path.split(/(?=\/)/).map((part, i) => (
    <span key={i}>
      <wbr />
      {part}
    </span>
  ));
}

function Parameters({ of: parameters }: { of: readonly Parameter[] }) {
  const places = [...new Set(parameters.map((parameter) => parameter.in))];
  return (
    <Section heading="Parameters">
      {places.map((place) => (
        <div key={place}>
          <h3>In the {place}</h3>
          <ul class="schema">
            {parameters
              .filter((parameter) => parameter.in === place)
              .map((parameter) => (
                <li key={parameter.name}>
                  <ParameterRow of={parameter} />
                </li>
              ))}
          </ul>
        </div>
      ))}
    </Section>
  );
}

function ParameterRow({ of: { name, required, schema, description, style } }: { of: Parameter }) {
  const presence = describePresence(required === true, 'request');
  return (
    <SchemaRow
      of={{ ...schema, ...(description === undefined ? {} : { description }) }}
      name={style === 'form' ? 'any other key' : name}
      {...(presence === undefined ? {} : { presence })}
    />
  );
}

function AnswerView({ of: { status, description, mediaType, schema, headers } }: { of: DescribedAnswer }) {
  const isText = schema === undefined || schema.type === 'string';
  return (
    <Section heading={`Answer ${status}`}>
      <p>
        <Prose text={description} /> {mediaType !== undefined && <code>{mediaType}</code>}
      </p>
      {headers.length > 0 && (
        <ul class="schema">
          {headers.map(([name, meaning]) => (
            <li key={name}>
              <SchemaRow of={{ type: 'string', description: meaning }} name={`Header ${name}`} />
            </li>
          ))}
        </ul>
      )}
      {!isText && (
        <>
          <SchemaView of={schema} direction="answer" />
          <Example of={schema} heading="An example of the answer" />
        </>
      )}
    </Section>
  );
}

function Example({ of: schema, heading }: { of: Parameters<typeof exampleOf>[0]; heading: string }) {
  return (
    <>
      <h3>{heading}</h3>
      <pre>{writeJson(exampleOf(schema), 2)}</pre>
    </>
  );
}
