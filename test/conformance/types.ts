/** Any value that JSON can carry. */
export type JsonValue = null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue };

/**
 * Whose token a step sends. `root` and every other account name mean that account's token
 * (fetched over `/auth/userpass` on first use); `none` sends no token header, `empty` an empty
 * one, `bad` a token nobody ever issued.
 */
export type Actor = string;

/**
 * How strictly an answer is compared with the recorded one:
 * - `exact`: status, content type, exception class and message, redirect target and body;
 *   lines of a stream and elements of a listing of plain strings may come in any order;
 * - `ordered`: as `exact`, and the order counts too;
 * - `keys`: as `exact`, but of the body only the set of keys of each object;
 * - `class`: status and exception class only (the message is free text);
 * - `status`: status only.
 */
export type Comparison = 'exact' | 'ordered' | 'keys' | 'class' | 'status';

/** A deliberate difference: Dapple's answer in place of Rucio's. */
export interface Difference {
  readonly status: number;
  /** Absent when Dapple's answer is a success. */
  readonly exceptionClass?: string;
  /** The section of the wire reference that decides it. */
  readonly why: string;
}

/** One request of a scenario. */
export interface Step {
  /** Unique inside its scenario; fixtures are matched by it. */
  readonly name: string;
  readonly as: Actor;
  readonly method: string;
  /** Path and query exactly as they go on the wire, percent-encoded; may hold `{{variable}}`. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** A JSON value, or `{ raw: text }` for a body that is sent as it is. Strings may hold `{{variable}}`. */
  readonly body?: JsonValue;
  readonly compare?: Comparison;
  readonly differs?: Difference;
  /** Variables to keep from the answer: name to dotted path in the parsed body (`''` = whole body). */
  readonly save?: Readonly<Record<string, string>>;
}

/** A list of requests that starts from an empty server and sets up whatever it needs. */
export interface Scenario {
  readonly name: string;
  readonly about: string;
  readonly steps: readonly Step[];
}

/** How the body of an answer was framed. */
export type BodyKind = 'empty' | 'json' | 'lines' | 'text' | 'html' | 'error';

/** One answer with everything volatile replaced by placeholders. */
export interface Answer {
  readonly status: number;
  readonly contentType: string | null;
  readonly exceptionClass?: string;
  readonly exceptionMessage?: string;
  /** Whether the two exception headers repeat what the error body says. */
  readonly errorHeaders?: boolean;
  /** Redirect target, without host. */
  readonly location?: string;
  readonly allow?: readonly string[];
  /** Values of the `X-Rucio-…` response headers, tokens and dates replaced. */
  readonly rucioHeaders?: Readonly<Record<string, string>>;
  readonly bodyKind: BodyKind;
  readonly body?: JsonValue;
}

/** A step as it is stored in a fixture: the request line and the answer. */
export interface RecordedStep {
  readonly step: string;
  readonly as: Actor;
  readonly request: string;
  readonly answer: Answer;
}

/** The content of one fixture file. */
export interface Fixture {
  readonly scenario: string;
  /** The recorded server, for example `Rucio 41.0.0`. */
  readonly server: string;
  readonly steps: readonly RecordedStep[];
}
