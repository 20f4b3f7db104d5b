/** The part of oidc-provider that the benchmarks use: the package has no types of its own. */
declare module 'oidc-provider' {
  import type { RequestListener } from 'node:http';

  export type Adapter = Readonly<Record<string, (id: string) => Promise<object | undefined>>>;

  export default class Provider {
    constructor(issuer: string, configuration: object);
    callback(): RequestListener;
  }
}
