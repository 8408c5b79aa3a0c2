/* Parts of the language that the sources use and Node 22 lacks. */

/** Characters that have a meaning in a pattern, or that would continue an escape before the text. */
const special = /[\\^$.*+?()[\]{}|/\-,=<>#&!%:;@~'`"\s]|^[0-9A-Za-z]/g;

// Each is written by its code, which is right in every place of a pattern.
const escapeOf = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

(RegExp as { escape?: (text: string) => string }).escape ??= (text) => text.replaceAll(special, escapeOf);
