import { definePolicy, type PathedFile } from '../lib/policy/policy.ts';
import generic from './generic.ts';

const frame = /^([A-Z]+)-([A-Za-z0-9_]+)-([0-9]{3})[0-9]+-[0-9]+.([A-Za-z]+)/;
const formerFrame = /^([A-Z]+)-([A-Za-z0-9_]+)-([0-9]{5})[0-9]+-[0-9]+.[A-Za-z]+/;
const calibration = /^[A-Z0-9]+_([A-Z0-9]+)/;
const content = /^([A-Z0-9]+)_([A-Za-z0-9_]+)/;

/** Automatic tests have names of their own. */
const isTest = (name: string) => name.startsWith('automatix');

function igwn({ scope, name }: PathedFile): string {
  if (isTest(name)) return `${scope}/${name}`;
  const [, detector, dataset, time, extension] = frame.exec(name) ?? fail('Invalid IGWN filename');
  if (extension !== 'gwf' && extension !== 'sft') fail(`Extension ${extension} not recognised`);
  return `${scope}/${dataset}/${detector}-${dataset}-${time}/${name}`;
}

function kagra({ scope, name }: PathedFile): string {
  if (isTest(name)) return `${scope}/${name}`;
  const [, detector = '', dataset = ''] = formerFrame.exec(name) ?? fail('Invalid LIGO filename');
  const [, calibrated] = calibration.exec(dataset) ?? fail(`Dataset ${dataset} not recognised`);
  return `${calibrated}/${scope}/${detector[0]}1/${name}`;
}

function ligo({ scope, name: path }: PathedFile): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (isTest(name)) return `${scope}/${name}`;
  if (!name.endsWith('.gwf')) fail(`Extension not recognised for ${name}`);
  const [, detector = '', dataset = '', time] = formerFrame.exec(name) ?? fail('Invalid LIGO filename');
  const file = `${detector}-${dataset}-${time}/${name}`;
  if (dataset === 'V1Online') return scope === 'O3' ? `${scope}/${dataset}/${file}` : `AdVirgo/HrecOnline/${file}`;
  if (detector === 'V' && dataset === 'raw')
    return scope === 'O2' || scope === 'O3' ? `${scope}/raw/V1/${file}` : `AdVirgo/raw/${file}`;
  if (/^V1O(?:2Repro[12]A|3Repro1A)$/.test(dataset)) return `${scope}/${dataset}/${file}`;
  if (dataset === 'K1_C00' || dataset === 'K1_HOFT_C20') return igwn({ scope, name });
  return detector === 'G' ? geo(scope, dataset, file) : ligoFrame(scope, dataset, file);
}

function geo(scope: string, dataset: string, file: string): string {
  if (dataset === 'G1_RDS_C01_L3') return `A6/L3/GEO/${file}`;
  if (dataset === 'R') return `${scope}/raw/GEO/${file}`;
  return scope === 'O3GK' && dataset === 'G1_RDS_C02_L3' ? `${scope}/${dataset}/${file}` : fail('Supported GEO types:');
}

/** The folders of kinds of data. */
const folders: Readonly<Record<string, string>> = {
  R: 'raw',
  RDS: 'rds',
  HOFT_C00: 'hoft',
  HOFT_C01: 'hoft_C01',
  HOFT_C02: 'hoft_C02',
  HOFT_X04: 'hoft_X04',
  HOFT_C01_4kHz: 'hoft_C01_4kHz',
  CLEANED_HOFT_C02: 'hoft_C02_clean',
  HOFT_CLEAN_SUB60HZ_C01: 'hoft_C01_clean_sub60Hz',
};

function ligoFrame(scope: string, dataset: string, file: string): string {
  const [, detector, kind = ''] = content.exec(dataset) ?? fail(`Dataset ${dataset} not recognised`);
  const folder = kind === 'R' && scope === 'postO3' ? 'raw_other' : (folders[kind] ?? kind);
  return `${scope}/${folder}/${detector}/${file}`;
}

function fail(reason: string): never {
  throw new Error(reason);
}

/** The International Gravitational-Wave Observatory Network. */
export default definePolicy(generic, {
  name: 'igwn',
  about: 'International Gravitational-Wave Observatory Network (IGWN): LIGO, Virgo, KAGRA',
  source: 'igwn-rucio-lfn2pfn 0.0.35 (PyPI); names are those of Rucio without a policy package',
  paths: { ...generic.paths, igwn, kagra_offline: kagra, ligo_legacy: ligo },
  leftOut: [
    {
      what: 'paths of SFT files by `ligo_legacy`',
      why: 'the original asks a server for metadata or replicas while it computes a path; such files belong on a non-deterministic RSE',
    },
  ],
});
