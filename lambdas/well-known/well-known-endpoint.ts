import { type FormerBaseUrl, isAccepted } from '../../contract/former-base-urls.ts';
import { routeKey, routes } from '../../contract/routes.ts';
import type { KeySet } from '../../storage/signing-keys.ts';
import { answerWithinMilliseconds } from '../shared/aws-clients.ts';
import { withinDeadline } from '../shared/deadline.ts';
import { answerUnexpectedError, type HttpAnswer, type HttpEvent } from '../shared/http-messages.ts';
import { InternalError, type Log } from '../shared/log.ts';
import { answerWith, createDocument, type Document } from './cacheable-document.ts';
import { discoveryDocument, keySetDocument, openapiDocument } from './documents.ts';

export interface WellKnownDependencies {
  readonly baseUrl: string;
  /** Base URLs from before, at which clients may still ask. */
  readonly formerBaseUrls?: readonly FormerBaseUrl[];
  readonly keySet: () => Promise<KeySet>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly log: Log;
  /** Milliseconds within which to answer. */
  readonly answerWithinMilliseconds?: number;
}

/** The handler of the public documents. Never throws. */
export function createWellKnownHandler(dependencies: WellKnownDependencies) {
  const documents = documentsByRoute(dependencies);

  return async (event: HttpEvent): Promise<HttpAnswer> => {
    try {
      const document = documents[event.routeKey];
      if (document === undefined) {
        throw new InternalError('No document for this route');
      }
      const limit = dependencies.answerWithinMilliseconds ?? answerWithinMilliseconds;
      return answerWith(await withinDeadline(limit, () => document(event)), event.headers['if-none-match']);
    } catch (error) {
      return answerUnexpectedError(error, event, dependencies.log);
    }
  };
}

type DocumentsByRoute = Readonly<Record<string, (event: HttpEvent) => Promise<Document>>>;

function documentsByRoute(dependencies: WellKnownDependencies): DocumentsByRoute {
  const { baseUrl, keySet, now } = dependencies;
  return {
    [routeKey(routes.openidConfiguration)]: discoveryByAddress(dependencies),
    [routeKey(routes.openapi)]: once(() => openapiDocument(baseUrl)),
    [routeKey(routes.keySet)]: async () => createDocument(keySetDocument(await keySet(), now())),
  };
}

/**
 * A client refuses issuer metadata whose issuer is not the address that it asked (RFC 8414 section 3.3). So whoever asks
 * at a former base URL is answered with that issuer, for as long as its tokens are accepted. No document but this one is
 * compared so: the API description names the base URL of today.
 */
function discoveryByAddress({
  baseUrl,
  formerBaseUrls = [],
  now,
}: WellKnownDependencies): DocumentsByRoute[string] {
  const current = once(() => discoveryDocument(baseUrl));
  const former = new Map(
    formerBaseUrls
      .filter((entry) => hostOf(entry.baseUrl) !== hostOf(baseUrl))
      .map((entry) => [
        hostOf(entry.baseUrl),
        { entry, document: once(() => discoveryDocument(entry.baseUrl)) },
      ]),
  );
  return ({ requestContext: { domainName } }) => {
    const asked = domainName === undefined ? undefined : former.get(domainName);
    return asked !== undefined && isAccepted(asked.entry, now()) ? asked.document() : current();
  };
}

function hostOf(baseUrl: string): string {
  return new URL(baseUrl).host;
}

/** Makes a document on the first request, and keeps it: its content never changes. */
function once(content: () => unknown): () => Promise<Document> {
  let document: Document | undefined;
  return async () => {
    document ??= createDocument(content());
    return document;
  };
}
