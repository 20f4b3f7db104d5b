/** One route of the API. */
export interface Route {
  readonly method: 'GET' | 'POST';
  readonly path: `/${string}`;
  /** What a caller needs: its credentials as a client, an access token, or nothing. */
  readonly needs: 'client credentials' | 'access token' | 'nothing';
  /** The folder of the function in `lambdas/`. */
  readonly servedBy: 'token' | 'volumes' | 'sync' | 'well-known';
}

interface VersionDefinition {
  /** `info.version` of the API description. */
  readonly release: string;
  /** The routes that clients call with an access token. */
  readonly operations: Readonly<Record<string, Route>>;
  /** The route of the API description, which is public. */
  readonly description: Route;
}

/**
 * The versions of the API, by the first segment of their paths. Routes, API descriptions, the settings of an end, the
 * headers that announce it, and the values of the metrics' dimension `Version` follow from this table. The oldest version
 * stands first, the newest last. The token endpoint and the two well-known documents belong to no version.
 */
export const versions = {
  v0: {
    release: '0.0.0',
    operations: {
      volumes: { method: 'GET', path: '/v0/volumes', needs: 'access token', servedBy: 'volumes' },
      sync: { method: 'POST', path: '/v0/files/{fileId}/sync', needs: 'access token', servedBy: 'sync' },
    },
    description: { method: 'GET', path: '/v0/openapi.json', needs: 'nothing', servedBy: 'well-known' },
  },
} as const satisfies Readonly<Record<`v${number}`, VersionDefinition>>;

export type Version = keyof typeof versions;

/** Every version, the newest last. */
export const versionNames = Object.keys(versions) as readonly Version[];

/** When a version is deprecated and when it ends: times as ISO 8601 writes them, in UTC and whole seconds. */
export interface VersionEnd {
  readonly deprecatedAt?: string;
  readonly sunsetAt?: string;
  /** Address of a page about it, for people. */
  readonly notice?: string;
}

/** What is announced, by version. A version that is not in it has no end. */
export type VersionEnds = { readonly [Name in Version]?: VersionEnd };
