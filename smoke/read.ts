import type { Answer } from './http/answer.ts';

/** The body as one JSON document; undefined if it is none. */
export function json({ body }: Pick<Answer, 'body'>): unknown {
  try {
    return JSON.parse(body.toString()) as unknown;
  } catch {
    return undefined;
  }
}

/** The body as JSON lines; undefined if one is none, as the last of a list that was broken off. */
export function jsonLines({ body }: Pick<Answer, 'body'>): unknown[] | undefined {
  try {
    return body
      .toString()
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as unknown);
  } catch {
    return undefined;
  }
}
