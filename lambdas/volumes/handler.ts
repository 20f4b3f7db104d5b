import { routes } from '../../contract/routes.ts';
import { awsClientConfig } from '../shared/aws-clients.ts';
import { readEnvironment } from '../shared/environment.ts';
import { createApiDependencies } from '../shared/http/api-dependencies.ts';
import { createApiHandler } from '../shared/http/api-endpoint.ts';
import { serveRoutes } from '../shared/http/serve-routes.ts';
import { volumesEndpoint } from './volumes-endpoint.ts';

const environment = readEnvironment(['baseUrl', 'keySetSecretArn', 'metricsNamespace']);
const api = createApiDependencies(environment, awsClientConfig());

export const handler = serveRoutes<'volumes'>(
  { volumes: createApiHandler(routes.volumes.scope, volumesEndpoint, api) },
  api.log,
);
