import { routeKey, routes, scopeDescriptions } from '../routes.ts';
import { exampleBaseUrl } from './example-base-url.ts';
import { operations } from './operations.ts';
import { componentSchemas } from './schemas.ts';

const description = `A machine-to-machine API: client applications list drive volumes and bring their own data into files.

**Authentication.** Exchange client id and client secret for a short-lived access token at \`${routeKey(routes.token)}\` (OAuth 2.0 client credentials grant), send it as \`Authorization: Bearer <ACCESS_TOKEN>\` to every \`/v0/\` endpoint, and ask for a new one in the same way when it expires. There are no refresh tokens, no login page and no CORS: keep the client secret on a server.

**Uploading.** \`${routeKey(routes.sync)}\` gives a presigned upload URL. Send the file to it with one single \`PUT\`: the raw bytes as the whole body, up to 5 GiB (5,368,709,120 bytes), with a Content-Length and without an \`Authorization\` header. Any 2xx with an empty body means success. The URL is for one file and one use. Begin the PUT within one hour: the query parameter \`X-Amz-Expires\` says the seconds. The access token must never be sent to it.

v0 is experimental: shapes, scopes and behaviour can change without notice. When v1 is there, v0 is deprecated and has a date on which it ends.`;

/** Returns the complete description of the API: OpenAPI 3.1.0. */
export function openapiDocument() {
  return {
    openapi: '3.1.0',
    info: {
      title: 'File Sync API',
      summary: 'List volumes and sync external data into files',
      description,
      version: '0.0.0',
      // The operator of a deployment is not known here, so the description contains no address.
      contact: { name: 'The operator of this deployment' },
      license: {
        name: 'Proprietary: use is by agreement with the operator',
        identifier: 'LicenseRef-Proprietary',
      },
    },
    servers: [{ url: exampleBaseUrl, description: 'This deployment' }],
    tags: [
      { name: 'Authentication', description: 'Access tokens, and what is needed to get and to verify them' },
      { name: 'Volumes', description: 'Drive volumes' },
      { name: 'Files', description: 'Syncing external data into files' },
      { name: 'Description', description: 'This document' },
    ],
    paths: operations,
    components: {
      schemas: componentSchemas(),
      securitySchemes: {
        clientCredentials: {
          type: 'oauth2',
          description: 'Access token of the OAuth 2.0 client credentials grant, in the Authorization header',
          flows: {
            clientCredentials: {
              tokenUrl: `${exampleBaseUrl}${routes.token.path}`,
              scopes: scopeDescriptions,
            },
          },
        },
        clientSecretBasic: {
          type: 'http',
          scheme: 'basic',
          description:
            'Client id as user, client secret as password, each form-urlencoded (RFC 6749 section 2.3.1)',
        },
      },
    },
  };
}
