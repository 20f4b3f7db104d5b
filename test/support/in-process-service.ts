import { randomBytes, randomUUID } from 'node:crypto';
import { createAccessLogFormatter } from 'cloud-assembly-emulator/api-gateway/access-log';
import { parseRouteKey, type Route } from 'cloud-assembly-emulator/api-gateway/routes';
import { type GatewayServer, openGateway } from 'cloud-assembly-emulator/api-gateway/server';
import { routeKey, routes } from '../../contract/routes.ts';
import type { Scope } from '../../contract/scopes.ts';
import { type ApiDependencies, createApiHandler } from '../../lambdas/shared/http/api-endpoint.ts';
import type { HttpAnswer, HttpEvent } from '../../lambdas/shared/http/messages.ts';
import { createCache } from '../../lambdas/shared/keys/cache.ts';
import { createFindKey, importKeySet } from '../../lambdas/shared/keys/verification-keys.ts';
import { createLog, type Log } from '../../lambdas/shared/log/log.ts';
import { createVerifyAccessToken } from '../../lambdas/shared/tokens/access-token.ts';
import { generateKey } from '../../lambdas/signing-keys/generate-key.ts';
import { createSyncEndpoint } from '../../lambdas/sync/sync-endpoint.ts';
import type { RegisteredClient } from '../../lambdas/token/read-client.ts';
import { importSigningKeys } from '../../lambdas/token/signing-key.ts';
import { createTokenHandler } from '../../lambdas/token/token-endpoint.ts';
import { volumesEndpoint } from '../../lambdas/volumes/volumes-endpoint.ts';
import { openapiDocument } from '../../lambdas/well-known/openapi/document.ts';
import { createWellKnownHandler } from '../../lambdas/well-known/well-known-endpoint.ts';
import { accessLogFormat } from '../../lib/access-log.ts';
import { digestClientSecret, generateClientSecret } from '../../storage/client-secret.ts';
import type { FileAccess } from '../../storage/file.ts';
import { type KeySet, type PrivateJwk, publicJwk } from '../../storage/signing-keys.ts';
import { createUuidV7 } from '../../storage/uuid-v7.ts';
import type { AttackedService } from './attacked-service.ts';
import type { ClientCredentials } from './deployment.ts';
import { listKeys } from './list-keys.ts';
import { startStorage } from './upload-storage.ts';

const publicRoutes = Object.values(routes).filter(({ servedBy }) => servedBy === 'well-known');

type Handler = (event: HttpEvent) => Promise<HttpAnswer>;

const files: ReadonlyMap<string, FileAccess> = new Map([
  ['file-enabled', { organisation_id: 'acme', sync_enabled: true }],
  ['file-not-enabled', { organisation_id: 'acme', sync_enabled: false }],
  ['file-of-another', { organisation_id: 'umbrella', sync_enabled: true }],
]);

/**
 * The functions behind the local HTTP server and the local S3, all in this process. The functions are the deployed
 * ones; only the two tables are replaced, by maps.
 */
export async function startInProcessService(): Promise<AttackedService> {
  const lines: string[] = [];
  const log = createLog({ write: (line) => void lines.push(line.replace(/\n$/, '')) });
  const storage = await startStorage((line) => void lines.push(line));
  const gateway = await openGateway(0);
  const baseUrl = `http://127.0.0.1:${gateway.port}`;
  const { clients, client, reader, revoked } = makeClients();
  const [key, next] = await Promise.all([generateKey('ES256'), generateKey('ES256')]);
  const signTokenAt = importSigningKeys({ current: key, next });
  const tokenHandler = createTokenHandler({
    readClient: async (clientId) => clients.get(clientId),
    signingKeys: async () => signTokenAt,
    baseUrl,
    lifetimeSeconds: 3600,
    now: Date.now,
    newTokenId: randomUUID,
    log,
  });
  const apiHandlers = makeApiHandlers({ baseUrl, key, log, storage });
  serve(gateway, { [routeKey(routes.token)]: tokenHandler, ...apiHandlers }, lines);
  return {
    baseUrl,
    storageOrigin: storage.aws.endpoint,
    client,
    reader,
    revoked,
    file: 'file-enabled',
    fileNotEnabled: 'file-not-enabled',
    fileOfAnother: 'file-of-another',
    signingKey: { jwk: key, kid: key.kid, alg: key.alg },
    logLines: async () => lines,
    storedKeys: () => listKeys(storage.s3, storage.bucket),
    close: async () => {
      await gateway.close();
      await storage.end();
    },
  };
}

function makeClients() {
  const clients = new Map<string, RegisteredClient>();
  const make = (clientId: string, active: boolean, scopes: readonly Scope[]): ClientCredentials => {
    const clientSecret = generateClientSecret(randomBytes);
    const secrets = [{ digest: digestClientSecret(clientSecret) }];
    clients.set(clientId, { organisationId: 'acme', active, scopes, secrets });
    return { clientId, clientSecret };
  };
  const client = make('client_full', true, ['volume:read', 'sync:create']);
  const reader = make('client_reader', true, ['volume:read']);
  const revoked = make('client_revoked', false, ['volume:read', 'sync:create']);
  return { clients, client, reader, revoked };
}

interface ApiParts {
  readonly baseUrl: string;
  readonly key: PrivateJwk;
  readonly log: Log;
  readonly storage: Awaited<ReturnType<typeof startStorage>>;
}

function makeApiHandlers({ baseUrl, key, log, storage }: ApiParts): Record<string, Handler> {
  const keySet: KeySet = {
    keys: [{ jwk: publicJwk(key), state: 'current', since: new Date().toISOString() }],
  };
  const cache = createCache({
    load: () => importKeySet(keySet),
    now: Date.now,
    onRefreshFailed: () => undefined,
  });
  const findKey = createFindKey(cache, Date.now);
  const dependencies: ApiDependencies = {
    log,
    verifyAccessToken: createVerifyAccessToken({ findKey, baseUrl, now: () => new Date() }),
  };
  const syncEndpoint = createSyncEndpoint({
    ...storage.signing,
    readFileAccess: async (fileId) => files.get(fileId),
    now: Date.now,
    newUploadId: createUuidV7(Date.now, randomBytes),
    recordIssued: async () => undefined,
    log,
  });
  const wellKnown = createWellKnownHandler({
    baseUrl,
    description: openapiDocument(),
    keySet: async () => keySet,
    now: Date.now,
    log,
  });
  return {
    [routeKey(routes.volumes)]: createApiHandler(volumesEndpoint, dependencies),
    [routeKey(routes.sync)]: createApiHandler(syncEndpoint, dependencies),
    ...Object.fromEntries(publicRoutes.map((route) => [routeKey(route), wellKnown])),
  };
}

function serve(gateway: GatewayServer, handlers: Readonly<Record<string, Handler>>, lines: string[]): void {
  const format = createAccessLogFormatter(accessLogFormat);
  gateway.serve({
    api: {
      apiId: 'attacked',
      addresses: { ownName: 'attacked.execute-api.invalid', isOwnOpen: true, domainNames: [] },
      routes: Object.keys(handlers).map(toRoute),
      throttle: undefined,
      routeThrottles: new Map(),
      accessLogFormat,
      accessLogGroup: undefined,
    },
    // As between API Gateway and Lambda, what passes is JSON.
    invoke: async (name, payload) => {
      const event = JSON.parse(JSON.stringify(payload)) as HttpEvent;
      const answer = await handlers[name]?.(event);
      return { ok: true, payload: JSON.parse(JSON.stringify(answer)) as unknown };
    },
    mayPass: () => true,
    now: Date.now,
    accountId: '000000000000',
    logAccess: (entry) => void lines.push(format(entry)),
  });
}

function toRoute(key: string): Route {
  const parsed = parseRouteKey(key);
  if (parsed === undefined) {
    throw new Error(`Not a route key: ${key}`);
  }
  return { routeKey: key, ...parsed, functionName: key, timeoutMilliseconds: 30_000 };
}
