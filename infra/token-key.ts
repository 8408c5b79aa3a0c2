import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';

import { accept } from './accept.ts';
import type { Config } from './config.ts';

/** The key that signs tokens: 64 random letters and digits, 380 bits. */
export class TokenKey extends Secret {
  constructor(scope: Construct, id: string, config: Config) {
    super(scope, id, {
      description: 'Key that signs the tokens of Dapple',
      generateSecretString: { passwordLength: 64, excludePunctuation: true },
      removalPolicy: config.removalPolicy,
    });
    accept(this, {
      SMG4: 'A new key ends every session at once; the operator replaces it by hand when it may have leaked.',
    });
  }
}
