import { group } from './route.ts';
import { diracFiles } from './schemas/dirac.ts';

/** Routes of DIRAC's file catalogue (spec/access.md 11). */
export const dirac = group('dirac', ['/dirac'], {
  addDiracFiles: {
    method: 'POST',
    path: '/dirac/addfiles',
    summary: 'Add files with replicas and rules, and the datasets and containers above them, all or nothing',
    permission: 'add_dids',
    body: { schema: diracFiles, json: 'dictionary', name: 'lfns' },
    answer: { kind: 'created' },
    errors: {
      InvalidMetadata: 400,
      InvalidPath: 400,
      InvalidRSEExpression: 400,
      InvalidValueForKey: 400,
      KeyError: 400,
      AccessDenied: 401,
      RSENotFound: 404,
      ScopeNotFound: 404,
      DataIdentifierNotFound: 404,
      UnsupportedOperation: 405,
      DataIdentifierAlreadyExists: 409,
      InsufficientAccountLimit: 409,
      InsufficientTargetRSEs: 409,
      RSEOverQuota: 409,
      RSEWriteBlocked: 409,
      StagingAreaRuleRequiresLifetime: 409,
      FileConsistencyMismatch: 412,
      ResourceTemporaryUnavailable: 503,
    },
  },
});
