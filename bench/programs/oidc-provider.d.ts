/** The part of oidc-provider that the benchmark uses: the package has no types. */
declare module 'oidc-provider' {
  import type { RequestListener } from 'node:http';

  export type Adapter = Readonly<Record<string, (id: string) => Promise<object | undefined>>>;

  export class Provider {
    constructor(issuer: string, configuration: object);
    callback(): RequestListener;
  }
}
