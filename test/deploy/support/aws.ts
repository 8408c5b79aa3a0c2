/** The account of the deployment; MiniStack uses an access key of twelve digits as the account. */
export const account = '000000000000';

export const region = 'us-east-1';

/** The API of AWS at an emulator, as far as the tests need it. */
export interface Aws {
  readonly url: string;
  /** Calls an operation of a service that speaks JSON: `json('secretsmanager', 'ListSecrets', {})`. */
  json<T>(service: JsonService, operation: string, input: object): Promise<T>;
  /** Calls a service that speaks REST: `rest('lambda', 'GET', '/2015-03-31/functions/')`. */
  rest<T>(service: 'lambda' | 'apigateway', method: string, path: string, input?: object): Promise<T>;
  /** Runs a function and waits for its result. */
  invoke(functionName: string, event: object): Promise<unknown>;
}

type JsonService = keyof typeof targets;

const targets = {
  dynamodb: 'DynamoDB_20120810',
  events: 'AWSEvents',
  logs: 'Logs_20140328',
  secretsmanager: 'secretsmanager',
  sqs: 'AmazonSQS',
} as const;

/** @param url Of an emulator, or of one service. Requests are not signed, since it does not check signatures. */
export function openAws(url: string): Aws {
  const call = async (service: string, method: string, path: string, headers: object, input?: object) => {
    const response = await fetch(url + path, {
      method,
      headers: {
        Authorization: `AWS4-HMAC-SHA256 Credential=${account}/20260101/${region}/${service}/aws4_request, SignedHeaders=host, Signature=0`,
        ...headers,
      },
      ...(input === undefined ? {} : { body: JSON.stringify(input) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${service} ${method} ${path}: ${response.status} ${text}`);
    return { headers: response.headers, value: text === '' ? undefined : (JSON.parse(text) as unknown) };
  };
  return {
    url,
    json: async <T>(service: JsonService, operation: string, input: object) => {
      const version = service === 'dynamodb' || service === 'sqs' ? '1.0' : '1.1';
      const target = `${targets[service]}.${operation}`;
      const headers = { 'X-Amz-Target': target, 'Content-Type': `application/x-amz-json-${version}` };
      return (await call(service, 'POST', '/', headers, input)).value as T;
    },
    rest: async <T>(service: string, method: string, path: string, input?: object) =>
      (await call(service, method, path, { 'Content-Type': 'application/json' }, input)).value as T,
    invoke: async (functionName, event) => {
      const path = `/2015-03-31/functions/${encodeURIComponent(functionName)}/invocations`;
      const { headers, value } = await call('lambda', 'POST', path, {}, event);
      if (headers.has('X-Amz-Function-Error')) throw new Error(`${functionName} failed: ${JSON.stringify(value)}`);
      return value;
    },
  };
}
