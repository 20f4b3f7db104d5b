import * as v from 'valibot';

const manifestSchema = v.object({
  name: v.string(),
  version: v.string(),
  private: v.optional(v.boolean()),
  description: v.string(),
  type: v.literal('module'),
  engines: v.record(v.string(), v.string()),
  files: v.array(v.string()),
  dependencies: v.record(v.string(), v.string()),
});

/** The app that uses the package brings these: two copies of the CDK in one app do not know each other's constructs. */
const broughtByTheApp = ['aws-cdk-lib', 'constructs'];

const folder = './dist/package';

/**
 * The package.json of the package. It names no dependencies, since everything but the CDK is part of the package's own
 * files.
 *
 * @param repository the package.json of the repository
 * @throws {Error} when that is not the repository's, or names no version of the CDK
 */
export function packedManifest(repository: unknown): Readonly<Record<string, unknown>> {
  const { dependencies, ...same } = v.parse(manifestSchema, repository);
  return {
    ...same,
    main: `${folder}/index.cjs`,
    types: `${folder}/index.d.cts`,
    exports: {
      '.': { types: `${folder}/index.d.cts`, default: `${folder}/index.cjs` },
      './package.json': './package.json',
    },
    bin: {
      'file-sync-admin': `${folder}/file-sync-admin.mjs`,
      'file-sync-upload': `${folder}/file-sync-upload.mjs`,
    },
    peerDependencies: Object.fromEntries(
      broughtByTheApp.map((name) => [name, fromThisVersionOn(name, dependencies[name])]),
    ),
  };
}

function fromThisVersionOn(name: string, version: string | undefined): string {
  if (version === undefined) {
    throw new Error(`package.json has no ${name} among its dependencies.`);
  }
  return `^${version}`;
}
