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
      return answerWith(await withinDeadline(limit, document), event.headers['if-none-match']);
    } catch (error) {
      return answerUnexpectedError(error, event, dependencies.log);
    }
  };
}

type DocumentsByRoute = Readonly<Record<string, () => Promise<Document>>>;

function documentsByRoute({ baseUrl, keySet, now }: WellKnownDependencies): DocumentsByRoute {
  return {
    [routeKey(routes.openidConfiguration)]: once(() => discoveryDocument(baseUrl)),
    [routeKey(routes.openapi)]: once(() => openapiDocument(baseUrl)),
    [routeKey(routes.keySet)]: async () => createDocument(keySetDocument(await keySet(), now())),
  };
}

/** Makes a document on the first request, and keeps it: its content never changes. */
function once(content: () => unknown): () => Promise<Document> {
  let document: Document | undefined;
  return async () => {
    document ??= createDocument(content());
    return document;
  };
}
