import type { Version } from '../../contract/versions.ts';
import v0 from './openapi.json' with { type: 'json' };

/** An API description as scripts/openapi/ makes it, with the members that a deployment changes. */
export interface Description {
  readonly info: { readonly description: string };
  readonly servers: readonly [{ readonly url: string }, ...{ readonly url: string }[]];
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components: {
    readonly securitySchemes: {
      readonly clientCredentials: {
        readonly flows: { readonly clientCredentials: { readonly tokenUrl: string } };
      };
    };
  };
}

/** The operations of a path, by method. */
export type PathItem = Readonly<Record<string, Operation>>;

export interface Operation {
  readonly responses: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** The description of every version of the API. */
export const descriptions: Readonly<Record<Version, Description>> = { v0: v0 as unknown as Description };
