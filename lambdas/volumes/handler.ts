import { awsClientConfig } from '../shared/aws-clients.ts';
import { readEnvironment } from '../shared/environment.ts';
import { createApiDependencies } from '../shared/http/api-dependencies.ts';
import { createApiHandler } from '../shared/http/api-endpoint.ts';
import { volumesEndpoint } from './volumes-endpoint.ts';

const environment = readEnvironment(['baseUrl', 'keySetSecretArn', 'metricsNamespace']);

/** `GET /v0/volumes`. */
export const handler = createApiHandler(
  volumesEndpoint,
  createApiDependencies(environment, awsClientConfig()),
);
