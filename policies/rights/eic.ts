import { adminOr, type Rights } from '../../lib/policy/rights.ts';
import jlab from './jlab.ts';

/** Rights at the Electron-Ion Collider: those of Jefferson Lab, and one more. */
export default { ...jlab, set_tombstone: adminOr({ has: 'set_tombstone' }) } satisfies Rights as Rights;
