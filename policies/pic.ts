import { definePolicy } from '../lib/policy/policy.ts';
import generic from './generic.ts';

/** PIC, also of MAGIC. */
export default definePolicy(generic, {
  name: 'pic',
  about: "Port d'Informació Científica, for MAGIC and others",
  source: 'pic-rucio-policy-package 0.1.1 (PyPI)',
  scope: { pattern: String.raw`^[a-zA-Z_\-.0-9]+$`, longest: 100 },
  did: { pattern: String.raw`^[/A-Za-z0-9][/A-Za-z0-9\.\-_\+]*$`, longest: 500 },
  rse: { pattern: '^([A-Za-z0-9]+([_-][A-Za-z0-9]+)*)$' },
  leftOut: [
    {
      what: 'the narrower pattern of the RSE in attachments',
      why: 'it begins with capitals, so that files could not be attached with an RSE that may be created',
    },
  ],
});
