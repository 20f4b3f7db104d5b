import { ArnPrincipal, Role } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { type EnvironmentKey, environmentNames } from '../contract/internal/environment.ts';
import { type Route, routes } from '../contract/routes.ts';
import type { Lifecycle } from './lifecycle.ts';
import { apiFunction, metricsNamespaceOf, ServiceFunction } from './service-function.ts';
import type { Configuration } from './settings.ts';
import type { SigningKey } from './signing-key.ts';
import type { ClientsTable, FilesTable, UploadsTable } from './tables.ts';
import type { UploadsBucket } from './uploads-bucket.ts';

/** Properties that all functions behind the API share. */
interface ApiFunctionProps {
  readonly lifecycle: Lifecycle;
  readonly configuration: Configuration;
  readonly baseUrl: string;
  readonly signingKey: SigningKey;
}

/** Properties of one function behind the API. */
interface ApiFunctionDefinition {
  /** Folder under `lambdas/`. */
  readonly name: Route['servedBy'];
  /** Variables in addition to the base URL. */
  readonly environment: { readonly [Key in EnvironmentKey]?: string };
}

/** Returns the description of a function in AWS: the contents of its responses. */
export function describeFunction(name: Route['servedBy'], all: readonly Route[]): string {
  const served = all.filter(({ servedBy }) => servedBy === name);
  const contents = served.map((route) => (route.needs === 'nothing' ? 'public documents' : route.returns));
  return `Returns ${[...new Set(contents)].join(' and ')}`;
}

/**
 * A function that responds to HTTP requests. All of them know the base URL, which is the issuer and the
 * audience, and the namespace of their metrics.
 */
class ApiFunction extends ServiceFunction {
  constructor(scope: Construct, id: string, props: ApiFunctionProps, definition: ApiFunctionDefinition) {
    const { lifecycle, configuration, baseUrl } = props;
    const metricsNamespace = metricsNamespaceOf(scope, configuration);
    const environment = { baseUrl, metricsNamespace, ...definition.environment };
    const description = describeFunction(definition.name, Object.values(routes));
    super(scope, id, { ...apiFunction, ...definition, description, lifecycle, environment });
  }
}

/** Returns variables with the announced end of v0, for functions with routes under `/v0`. */
function deprecation({ configuration }: ApiFunctionProps): ApiFunctionDefinition['environment'] {
  const { v0DeprecatedAt, v0SunsetAt } = configuration;
  return { ...(v0DeprecatedAt && { v0DeprecatedAt }), ...(v0SunsetAt && { v0SunsetAt }) };
}

interface TokenFunctionProps extends ApiFunctionProps {
  readonly clients: ClientsTable;
}

/** Issues access tokens. It reads clients, and no other function behind the API can sign tokens. */
export class TokenFunction extends ApiFunction {
  constructor(scope: Construct, id: string, props: TokenFunctionProps) {
    const { clients, configuration, signingKey } = props;
    super(scope, id, props, {
      name: 'token',
      environment: {
        clientsTableName: clients.tableName,
        signingKeySecretArn: signingKey.signingKeySecretArn,
        tokenLifetimeSeconds: String(configuration.tokenLifetimeSeconds),
      },
    });
    clients.grantReadClient(this.role);
    signingKey.grantReadSigningKey(this.role);
  }
}

/** Lists volumes. It verifies tokens and needs no other permission. */
export class VolumesFunction extends ApiFunction {
  constructor(scope: Construct, id: string, props: ApiFunctionProps) {
    const { signingKey } = props;
    super(scope, id, props, {
      name: 'volumes',
      environment: {
        keySetSecretArn: signingKey.keySetSecretArn,
        ...deprecation(props),
      },
    });
    signingKey.grantReadKeySet(this.role);
  }
}

interface SyncFunctionProps extends ApiFunctionProps {
  readonly files: FilesTable;
  readonly uploads: UploadsTable;
  readonly bucket: UploadsBucket;
}

/** Issues upload URLs. It cannot put objects itself: it assumes the upload signer role, once for each URL. */
export class SyncFunction extends ApiFunction {
  constructor(scope: Construct, id: string, props: SyncFunctionProps) {
    const { files, uploads, bucket, configuration, signingKey } = props;
    super(scope, id, props, {
      name: 'sync',
      environment: {
        keySetSecretArn: signingKey.keySetSecretArn,
        filesTableName: files.tableName,
        uploadsTableName: uploads.tableName,
        bucketName: bucket.bucketName,
        bucketHost: bucket.hostFor(configuration.ipAddressType),
        uploadRecordRetentionDays: String(configuration.uploadRecordRetentionDays),
        ...deprecation(props),
      },
    });
    signingKey.grantReadKeySet(this.role);
    files.grantReadFile(this.role);
    uploads.grantRecordIssued(this.role);
    const uploadSigner = new UploadSigner(this, 'Signer', { bucket, syncRole: this.role });
    // The upload signer role trusts this function's role, so its ARN is known only now.
    this.function.addEnvironment(environmentNames.uploadSignerRoleArn, uploadSigner.roleArn);
  }
}

/** Publishes discovery, the key set and the API description. */
export class WellKnownFunction extends ApiFunction {
  constructor(scope: Construct, id: string, props: ApiFunctionProps) {
    const { signingKey, configuration } = props;
    const { documentationUrl } = configuration;
    super(scope, id, props, {
      name: 'well-known',
      environment: {
        keySetSecretArn: signingKey.keySetSecretArn,
        ...(documentationUrl && { documentationUrl }),
        ...deprecation(props),
      },
    });
    signingKey.grantReadKeySet(this.role);
  }
}

interface UploadSignerProps {
  readonly bucket: UploadsBucket;
  /** The only role that may assume the upload signer role. */
  readonly syncRole: Role;
}

/**
 * The role whose sessions sign upload URLs. Each URL is signed in a separate session, so that it stays valid
 * for its full hour and allows a PUT of one object only.
 */
class UploadSigner extends Construct {
  readonly roleArn: string;

  constructor(scope: Construct, id: string, { bucket, syncRole }: UploadSignerProps) {
    super(scope, id);
    const role = new Role(this, 'Role', {
      description: 'Signs upload URLs: each session may put one object',
      // The sync role needs no permission to assume this role. Within an account, a trust policy that names
      // the caller is sufficient (IAM User Guide, "Grant a user permissions to switch roles").
      assumedBy: new ArnPrincipal(syncRole.roleArn),
    });
    this.roleArn = role.roleArn;
    bucket.grantPutUploads(role);
  }
}
