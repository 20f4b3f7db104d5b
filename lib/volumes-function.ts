import type { Construct } from 'constructs';
import { HttpFunction, type HttpFunctionProps } from './http-function.ts';

/** Lists volumes: verifies tokens, and needs nothing else. */
export class VolumesFunction extends HttpFunction {
  constructor(scope: Construct, id: string, props: HttpFunctionProps) {
    const { signingKey } = props;
    super(scope, id, props, {
      name: 'volumes',
      description: 'Lists the volumes that a client can read',
      environment: { keySetSecretArn: signingKey.keySetSecretArn },
    });
    signingKey.grantReadKeySet(this.role);
  }
}
