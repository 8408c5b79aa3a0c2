import type { Field } from '../task.ts';

/** Schemes with the part of the official client that speaks them, and the usual port. */
const schemes = [
  ['davs', 'WebDAV with TLS (davs)', 'webdav.Default', 443],
  ['https', 'HTTPS', 'webdav.Default', 443],
  ['root', 'XRootD (root)', 'xrootd.Default', 1094],
  ['s3', 'S3', 'gfal.Default', 443],
  ['file', 'a folder (file)', 'posix.Default', 0],
  ['gsiftp', 'GridFTP', 'gfal.Default', 2811],
  ['srm', 'SRM', 'gfal.Default', 8443],
] as const;

/** Fields of a protocol of an RSE. */
export const protocolFields = [
  {
    name: 'scheme',
    label: 'Protocol',
    choices: schemes.map(([scheme, words]) => [scheme, words] as const),
  },
  { name: 'hostname', label: 'Host', required: true, placeholder: 'storage.example.org' },
  { name: 'port', label: 'Port', kind: 'number', placeholder: 'the usual one', min: '0', max: '65535' },
  { name: 'prefix', label: 'Folder', required: true, placeholder: '/data/rucio' },
  {
    name: 'purpose',
    label: 'For',
    choices: [
      ['all', 'reading, writing, deleting and copies between storages'],
      ['read', 'reading alone'],
    ],
  },
] as const satisfies readonly Field[];

interface Address {
  readonly scheme: string;
  readonly hostname: string;
  readonly port: string;
  readonly prefix: string;
}

const portOf = ({ scheme, port }: Pick<Address, 'scheme' | 'port'>) =>
  port.trim() === '' ? (schemes.find(([one]) => one === scheme)?.[3] ?? 0) : Number(port);

/** The module of the official client that speaks a scheme. */
export function implementationOf(scheme: string): string {
  return `rucio.rse.protocols.${schemes.find(([one]) => one === scheme)?.[2] ?? 'gfal.Default'}`;
}

/** The beginning of the URLs of a protocol. */
export function urlOf(address: Address): string {
  return `${address.scheme}://${address.hostname}:${portOf(address)}${address.prefix}`;
}

/** The body of the request that adds a protocol. */
export function protocolBody({ purpose, ...address }: Address & { readonly purpose: string }) {
  const other = purpose === 'all' ? 1 : null;
  const domain = { read: 1, write: other, delete: other };
  return {
    hostname: address.hostname.trim(),
    port: portOf(address),
    prefix: address.prefix.trim(),
    impl: implementationOf(address.scheme),
    domains: {
      lan: domain,
      wan: { ...domain, third_party_copy_read: 1, third_party_copy_write: other },
    },
  };
}
