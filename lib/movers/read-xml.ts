/** The longest tag of an element that is looked at, in characters. */
const maxTagLength = 200;

/** An element of an answer that holds other elements: the texts of these by their names, without prefixes. */
export type XmlElement = ReadonlyMap<string, string>;

/**
 * Reads the elements of a name, without a prefix, of an answer in XML. It looks at each character once, since a storage may send
 * whatever it likes.
 *
 * @param name In small letters.
 */
export function readElements(xml: string, name: string): XmlElement[] {
  const found: XmlElement[] = [];
  let open: Map<string, string> | undefined;
  for (let start = xml.indexOf('<'); start >= 0;) {
    const next = xml.indexOf('<', start + 1);
    const token = xml.slice(start + 1, next < 0 ? xml.length : next);
    const end = token.indexOf('>');
    const [, slash, tag = ''] = /^(\/?)(?:[\w.-]+:)?([\w.-]+)/.exec(token.slice(0, maxTagLength)) ?? [];
    const isOwn = end >= 0 && tag.toLowerCase() === name;
    if (isOwn && slash === '') open = new Map();
    else if (isOwn && open !== undefined) {
      found.push(open);
      open = undefined;
    } else if (end >= 0 && slash === '' && open?.has(tag.toLowerCase()) === false)
      open.set(tag.toLowerCase(), decodeEntities(token.slice(end + 1)).trim());
    start = next;
  }
  return found;
}

/** A text with its entities decoded; those that mean no character stay. */
export function decodeEntities(text: string): string {
  return text.replaceAll(/&(?:#(\d{1,7})|(\w{1,8}));/g, (mark, code?: string, entity = '') => {
    if (code === undefined) return entities.get(entity) ?? mark;
    return Number(code) <= 0x10_ff_ff ? String.fromCodePoint(Number(code)) : mark;
  });
}

const entities: ReadonlyMap<string, string> = new Map([
  ['quot', '"'],
  ['apos', "'"],
  ['lt', '<'],
  ['gt', '>'],
  ['amp', '&'],
]);
