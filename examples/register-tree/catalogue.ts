/** An error answer of the catalogue. */
export class CatalogueError extends Error {
  readonly status: number;
  readonly exceptionClass: string;

  constructor(status: number, exceptionClass: string, message: string) {
    super(`${status} ${exceptionClass}: ${message}`);
    this.name = 'CatalogueError';
    this.status = status;
    this.exceptionClass = exceptionClass;
  }
}

/** URL of the catalogue, and the caller's credentials. */
export interface Login {
  readonly url: string;
  readonly account: string;
  readonly username: string;
  readonly password: string;
  /** A token that was issued already; absent: it logs in. */
  readonly token?: string | undefined;
}

/** The few calls of Rucio's REST interface that this example needs. */
export class Catalogue {
  readonly #url: string;
  readonly #token: string;

  private constructor(url: string, token: string) {
    this.#url = url;
    this.#token = token;
  }

  /** Logs in. @throws {@link CatalogueError} if the login is refused. */
  static async login({ url, account, username, password, token }: Login): Promise<Catalogue> {
    if (token !== undefined) return new Catalogue(url, token);
    const response = await send(`${url}/auth/userpass`, {
      headers: { 'X-Rucio-Account': account, 'X-Rucio-Username': username, 'X-Rucio-Password': password },
    });
    await requireSuccess(response);
    return new Catalogue(url, response.headers.get('X-Rucio-Auth-Token') ?? '');
  }

  /** Sends a body as JSON. @throws {@link CatalogueError} if the catalogue refuses it. */
  async post(path: string, body?: unknown): Promise<void> {
    const response = await send(this.#url + path, {
      method: 'POST',
      headers: { 'X-Rucio-Auth-Token': this.#token },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    await requireSuccess(response);
    await response.text();
  }

  /** Like {@link post}, but succeeds if the thing exists already. */
  async ensure(path: string, body?: unknown): Promise<void> {
    try {
      await this.post(path, body);
    } catch (error) {
      if (!(error instanceof CatalogueError) || error.exceptionClass !== 'Duplicate') throw error;
    }
  }

  /** Reads one JSON document. */
  async get<T>(path: string): Promise<T> {
    const response = await send(this.#url + path, { headers: { 'X-Rucio-Auth-Token': this.#token } });
    await requireSuccess(response);
    return (await response.json()) as T;
  }

  /** Reads a JSON stream line by line as it arrives. */
  async *lines<T>(path: string): AsyncGenerator<T> {
    const response = await send(this.#url + path, { headers: { 'X-Rucio-Auth-Token': this.#token } });
    await requireSuccess(response);
    let rest = '';
    for await (const text of (response.body ?? new ReadableStream<Uint8Array<ArrayBuffer>>()).pipeThrough(
      new TextDecoderStream(),
    )) {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) yield JSON.parse(line) as T;
    }
  }
}

/** Sends a request. @throws Error with a sentence for the user if nobody answers. */
async function send(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (cause) {
    const { origin } = new URL(url);
    throw new Error(`No answer from ${origin}. Is the catalogue there? --url names another address.`, { cause });
  }
}

async function requireSuccess(response: Response): Promise<void> {
  if (response.ok) return;
  const text = await response.text();
  throw new CatalogueError(response.status, response.headers.get('ExceptionClass') ?? 'unknown', text);
}
