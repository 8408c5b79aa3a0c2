/*
 * Bodies between a client of the SDK and an engine in the same process, which need no bytes. Both sides tell them by their members,
 * since each may have a class of its own.
 */

/** The body of an answer whose text is already known, so that no bytes have to be decoded. */
export class TextBody extends Uint8Array {
  readonly text: string;

  constructor(text: string) {
    super(0);
    this.text = text;
  }
}

/** The body of an answer whose items and keys hold native values. */
export class AnswerBody extends Uint8Array {
  readonly answer: object;

  constructor(answer: object) {
    super(0);
    this.answer = answer;
  }
}

/** Whether the body of a request is an object instead of text. */
export function isInputBody(body: unknown): body is Uint8Array & { readonly input: object } {
  return body instanceof Uint8Array && 'input' in body;
}
