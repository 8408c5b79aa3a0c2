import { writeJson } from '../api/json.ts';
import { PageHead, Section } from '../ui/basics.tsx';
import type { DescribedAnswer, Operation, Parameter } from './document.ts';
import { exampleOf } from './example.ts';
import { Prose, splitSummary } from './prose.tsx';
import { describePresence, SchemaRow, SchemaView } from './schema-view.tsx';
import { TryRequest } from './try-request.tsx';

/** All about an operation, and a form to try it: what is sent, the form, what is answered. */
export function OperationView({ of: operation }: { of: Operation }) {
  const { method, path, summary, description, parameters, body, answers, errors, id } = operation;
  const [title, rest] = splitSummary(summary);
  return (
    <>
      <PageHead
        title={`${method} ${path}`}
        heading={<Prose text={title} />}
        lead={
          <>
            <p class="operation-path">
              <Method of={method} /> <Path of={path} />
            </p>
            {rest !== '' && (
              <p>
                <Prose text={capitalise(rest)} />.
              </p>
            )}
            <p>
              <Prose text={description} /> <code>{id}</code>
            </p>
          </>
        }
      />
      <div class="reference-columns">
        <div class="reference-sent">
          {parameters.length > 0 && <Parameters of={parameters} />}
          {body !== undefined && (
            <Section heading={body.isRequired ? 'Body' : 'Body, may be left out'}>
              <Example of={exampleOf(body.schema)} heading="An example of the body" />
              <SchemaView of={body.schema} direction="request" />
            </Section>
          )}
        </div>
        <div class="reference-form">
          <Section heading="Try it">
            <TryRequest operation={operation} />
          </Section>
        </div>
        <div class="reference-answered">
          {answers.map((answer) => (
            <AnswerView key={answer.status} of={answer} />
          ))}
          {errors.length > 0 && (
            <Section heading="Errors">
              <dl class="errors">
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
      </div>
    </>
  );
}

const capitalise = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** A method, told apart by its word. */
export function Method({ of: method }: { of: string }) {
  return (
    <span class="method" data-method={method.toLowerCase()}>
      {method}
    </span>
  );
}

/** A path, with its parameters told apart; browsers may break lines before slashes. */
export function Path({ of: path }: { of: string }) {
  return (
    <span class="name">
      {path.split(/(?=\/)/).map((part, i) => (
        <span key={i}>
          <wbr />
          {part.split(/(?=\{)/).map((text) => (
            <span key={text} class={text.startsWith('{') ? 'path-parameter' : ''}>
              {text}
            </span>
          ))}
        </span>
      ))}
    </span>
  );
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
          <Example of={exampleOf(schema, guessName(description))} heading="An example of the answer" />
          <SchemaView of={schema} direction="answer" />
        </>
      )}
    </Section>
  );
}

/** Guesses the name of the values of an answer without names, by its description. */
const guessName = (description: string) => (/\bids\b/.test(description) ? 'id' : '');

function Example({ of: value, heading }: { of: unknown; heading: string }) {
  return (
    <>
      <h3>{heading}</h3>
      <pre>{writeJson(value, 2)}</pre>
    </>
  );
}
