import { generateKeyPairSync, sign } from 'node:crypto';

/** A key with its certificate, in PEM. */
export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

/** The attributes of a subject, root first. */
export type Subject = readonly (readonly [attribute: keyof typeof attributes, value: string])[];

const attributes = {
  C: '0603550406',
  CN: '0603550403',
  DC: '060a0992268993f22c640119',
  O: '060355040a',
  OU: '060355040b',
} as const;

/** Makes a certificate of 127.0.0.1, and of names, that signs itself (RFC 5280, in DER). */
export function makeCertificate(
  names: readonly string[] = [],
  days = 1,
  subject: Subject = [['CN', '127.0.0.1']],
): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = sequence(objectId('06082a8648ce3d040302'));
  const name = sequence(
    ...subject.map(([attribute, value]) =>
      set(sequence(objectId(attributes[attribute]), element(0x0c, Buffer.from(value)))),
    ),
  );
  const now = Date.now();
  const validity = sequence(time(now - 86_400_000), time(now + days * 86_400_000));
  const hosts = names.map((host) => element(0x82, Buffer.from(host)));
  const addresses = sequence(element(0x87, Buffer.from([127, 0, 0, 1])), ...hosts);
  const extensions = sequence(
    sequence(objectId('0603551d11'), element(0x04, addresses)),
    sequence(objectId('0603551d13'), element(0x04, sequence(element(0x01, Buffer.from([0xff]))))),
  );
  const content = sequence(
    element(0xa0, element(0x02, Buffer.from([2]))),
    element(0x02, Buffer.from([1])),
    algorithm,
    name,
    validity,
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    element(0xa3, extensions),
  );
  const signature = element(0x03, Buffer.concat([Buffer.from([0]), sign('sha256', content, privateKey)]));
  const der = sequence(content, algorithm, signature);
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${der.toString('base64').replaceAll(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`,
  };
}

function element(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const head = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...head]), content]);
}

const sequence = (...parts: readonly Buffer[]) => element(0x30, Buffer.concat(parts));
const set = (part: Buffer) => element(0x31, part);
const objectId = (hex: string) => Buffer.from(hex, 'hex');

/** UTCTime. */
const time = (ms: number) =>
  element(0x17, Buffer.from(`${new Date(ms).toISOString().replaceAll(/[-:T]/g, '').slice(2, 14)}Z`));
