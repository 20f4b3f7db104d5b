import { respondWithinMilliseconds } from '../../contract/limits.ts';
import type { KeySet } from '../../storage/signing-keys.ts';
import { withinDeadline } from '../shared/http/deadline.ts';
import { type Handler, type Headers, noStore, respondToUnexpectedError } from '../shared/http/messages.ts';
import { serveRoutes } from '../shared/http/serve-routes.ts';
import type { Log } from '../shared/log/log.ts';
import {
  createDocument,
  type Document,
  deployedDescription,
  issuerMetadata,
  keySetDocument,
  respondWith,
} from './documents.ts';

export interface WellKnownDependencies {
  readonly baseUrl: string;
  /** Page for developers who call the API. Undefined: not announced. */
  readonly documentationUrl: string | undefined;
  /** The API description with the example base URL, as created by `openapi/`. */
  readonly description: object;
  readonly keySet: () => Promise<KeySet>;
  /** Headers of every response under `/v0`. */
  readonly headers?: Headers;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly log: Log;
  /** Limit for the response, in milliseconds. */
  readonly respondWithinMilliseconds?: number;
}

type MakeDocument = () => Promise<Document>;

/** Creates the handler of the public documents. The handler never throws. */
export function createWellKnownHandler(dependencies: WellKnownDependencies): Handler {
  const { baseUrl, documentationUrl, description, keySet, now, headers = {}, log } = dependencies;
  const isDeprecated = headers.deprecation !== undefined;
  const serve = (document: MakeDocument, own: Headers = {}) =>
    respondWithDocument(document, own, dependencies);
  const metadata = serve(once(() => issuerMetadata(baseUrl, documentationUrl)));
  return serveRoutes<'well-known'>(
    {
      openidConfiguration: metadata,
      authorizationServer: metadata,
      keySet: serve(async () => createDocument(keySetDocument(await keySet(), now()))),
      openapi: serve(
        once(() => deployedDescription(description, baseUrl, isDeprecated)),
        headers,
      ),
    },
    log,
  );
}

/** @param headers headers of every response */
function respondWithDocument(
  document: MakeDocument,
  headers: Headers,
  { log, respondWithinMilliseconds: limit = respondWithinMilliseconds }: WellKnownDependencies,
): Handler {
  return async (event) => {
    try {
      return respondWith(await withinDeadline(limit, document), event.headers['if-none-match'], headers);
    } catch (error) {
      return respondToUnexpectedError(error, event, log, { ...noStore, ...headers });
    }
  };
}

/** Creates a document on the first request, and caches it: its content never changes. */
function once(content: () => unknown): () => Promise<Document> {
  let document: Document | undefined;
  return async () => {
    document ??= createDocument(content());
    return document;
  };
}
