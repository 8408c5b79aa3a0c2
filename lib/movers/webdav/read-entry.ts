import { type Integer, parseInteger } from '../../integer.ts';

/** The properties of a path according to a WebDAV server. */
export interface WebdavEntry {
  readonly kind: 'file' | 'folder' | 'unknown';
  readonly bytes?: Integer;
}

const tag = (local: string, rest: string, flags = 'i') => new RegExp(`<(?:[\\w.-]+:)?${local}${rest}`, flags);
const responses = tag('response', '[\\s>]', 'gi');
const collection = tag('collection', '[\\s/>]');
const type = tag('resourcetype', '[\\s/>]');
const flag = tag('iscollection', '[^<>]*>\\s*(\\w+)');
const length = tag('getcontentlength', '[^<>]*>\\s*(\\d+)\\s*<');
/** Each part has the properties of one status. */
const endOfPart = tag('propstat', '>').source.replace('<', '</');

/**
 * Reads the answer to PROPFIND about one path. Only what is certainly a file is called one: a type that is no collection, or the
 * flag `iscollection` of servers that tell no type of files, such as XRootD.
 */
export function readEntry(xml: string): WebdavEntry {
  const isCollection = flag.exec(xml)?.[1]?.toLowerCase();
  // A server that ignores the depth lists the content of a folder.
  const isList = (xml.match(responses)?.length ?? 0) > 1;
  if (isList || collection.test(xml) || isCollection === '1' || isCollection === 'true') return { kind: 'folder' };
  const parts = xml.split(new RegExp(endOfPart, 'i'));
  const isTyped = parts.some((part) => type.test(part) && /\bHTTP\/[\d.]+\s+2\d\d\b/i.test(part));
  if (!isTyped && isCollection !== '0' && isCollection !== 'false') return { kind: 'unknown' };
  const size = length.exec(xml)?.[1];
  return { kind: 'file', ...(size === undefined ? {} : { bytes: parseInteger(size) }) };
}
