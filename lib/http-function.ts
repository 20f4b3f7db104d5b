import type { Construct } from 'constructs';
import type { EnvironmentKey } from '../lambdas/shared/environment.ts';
import type { Configuration } from './configuration.ts';
import type { Lifecycle } from './lifecycle.ts';
import { httpFunction, ServiceFunction } from './service-function.ts';
import type { SigningKey } from './signing-key.ts';

/** What every function behind the API is made with. */
export interface HttpFunctionProps {
  readonly lifecycle: Lifecycle;
  readonly configuration: Configuration;
  readonly baseUrl: string;
  readonly signingKey: SigningKey;
}

/** What one of them is, besides. */
export interface HttpFunctionDefinition {
  /** Folder under `lambdas/`. */
  readonly name: string;
  readonly description: string;
  /** Besides the base URL. */
  readonly environment: { readonly [Key in EnvironmentKey]?: string };
}

/** A function that answers HTTP requests. All of them know the base URL: it is the issuer and the audience. */
export class HttpFunction extends ServiceFunction {
  constructor(scope: Construct, id: string, props: HttpFunctionProps, definition: HttpFunctionDefinition) {
    const { lifecycle, baseUrl } = props;
    const environment = { baseUrl, ...definition.environment };
    super(scope, id, { ...httpFunction, ...definition, lifecycle, environment });
  }
}
