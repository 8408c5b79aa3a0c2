/*
 * In V8 of Node 24 and later, JSON.parse may take a name that is written with an escape for another one: for a name of an object
 * that the process has parsed before, if the escaped form begins with its characters (nodejs/node#63785). So the names in the
 * request of one user would change those in the request of another.
 */

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d];
const word = /[^ \t\n\r,\]}]+/y;
const words = new Map<string, unknown>([
  ['null', null],
  ['true', true],
  ['false', false],
]);

/**
 * Parses JSON as `JSON.parse` does; names of members are always those of the text.
 *
 * @throws SyntaxError for text that is not JSON.
 */
export function parseNamed(text: string): unknown {
  // oxlint-disable-next-line no-restricted-properties
  const parsed: unknown = JSON.parse(text);
  return hasEscapedName(text) ? readJson(text) : parsed;
}

/** Whether a JSON text has a name of a member that is written with an escape. */
function hasEscapedName(text: string): boolean {
  for (let at = text.indexOf('\\'); at !== -1; at = text.indexOf('\\', at)) {
    at = endOfText(text, at);
    if (isName(text, at)) return true;
  }
  return false;
}

/** Where the text in quotes ends that goes on at a place: behind its last quote. */
function endOfText(text: string, from: number): number {
  let at = from;
  while (at < text.length && text.charCodeAt(at) !== quote) at += text.charCodeAt(at) === backslash ? 2 : 1;
  return at + 1;
}

/** Whether a text in quotes that ends at a place is the name of a member. */
function isName(text: string, end: number): boolean {
  let at = end;
  while (isBlank(text.charCodeAt(at))) at += 1;
  return text.charCodeAt(at) === colon;
}

const isBlank = (code: number) => code === 0x20 || (code >= 0x09 && code <= 0x0d);

/** Where the next token begins. */
function startOfToken(text: string, from: number): number {
  let at = from;
  for (let code = text.charCodeAt(at); isBlank(code) || code === comma || code === colon; code = text.charCodeAt(at))
    at += 1;
  return at;
}

/** A part of a text of up to this length is a copy. A longer one would keep the whole text in memory. */
const maxCopiedLength = 12;

/** The text in quotes from a place to another one. */
function readText(text: string, start: number, end: number): string {
  const content = text.slice(start + 1, end - 1);
  if (content.length <= maxCopiedLength && !content.includes('\\')) return content;
  // oxlint-disable-next-line no-restricted-properties -- a text has no names
  return JSON.parse(text.slice(start, end)) as string;
}

/** An object or a list whose end is not read yet. */
interface Open {
  readonly members: unknown[] | Record<string, unknown>;
  /** The name of the next member. */
  name: string;
}

/** Reads a text that is JSON. Nested objects take no stack. */
function readJson(text: string): unknown {
  const whole: unknown[] = [];
  let inner: Open = { members: whole, name: '' };
  const outer: Open[] = [];
  for (let at = startOfToken(text, 0); at < text.length; at = startOfToken(text, at)) {
    const start = at;
    switch (text.charCodeAt(start)) {
      case openBrace:
      case openBracket: {
        const members = text.charCodeAt(start) === openBrace ? {} : [];
        add(inner, members);
        outer.push(inner);
        inner = { members, name: '' };
        at += 1;
        break;
      }
      case closeBrace:
      case closeBracket:
        inner = outer.pop() as Open;
        at += 1;
        break;
      case quote: {
        at = endOfText(text, start + 1);
        const read = readText(text, start, at);
        if (isName(text, at)) inner.name = read;
        else add(inner, read);
        break;
      }
      default: {
        word.lastIndex = start;
        word.test(text);
        at = word.lastIndex;
        const source = text.slice(start, at);
        add(inner, words.has(source) ? words.get(source) : Number(source));
      }
    }
  }
  return whole[0];
}

function add({ members, name }: Open, value: unknown): void {
  if (Array.isArray(members)) members.push(value);
  else if (name === '__proto__' || isNumber(name.charCodeAt(0))) define(members, name, value);
  else members[name] = value;
}

const isNumber = (code: number) => code >= 0x30 && code <= 0x39;

/**
 * Defines a member. An assignment to `__proto__` would set the prototype. For one to `999`, V8 makes room for a thousand members; a
 * member that cannot be changed at first keeps the object small.
 */
function define(members: Record<string, unknown>, name: string, value: unknown): void {
  if (!Object.hasOwn(members, name)) {
    Object.defineProperty(members, name, { writable: false, enumerable: true, configurable: true });
  }
  Object.defineProperty(members, name, { value, writable: true });
}
