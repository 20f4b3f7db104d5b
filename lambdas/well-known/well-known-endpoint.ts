import { routeKey, routes } from '../../contract/routes.ts';
import type { KeySet } from '../../storage/signing-keys.ts';
import { answerWithinMs } from '../shared/aws-clients.ts';
import { withinDeadline } from '../shared/deadline.ts';
import { type HttpAnswer, type HttpEvent, internalErrorBody, jsonAnswer, noStore } from '../shared/http.ts';
import { describeError, InternalError, type Log } from '../shared/log.ts';
import { discoveryDocument } from './discovery.ts';
import { answerWith, createDocument, type Document } from './document.ts';
import { keySetDocument } from './key-set.ts';
import { openapiDocument } from './openapi-document.ts';

export interface WellKnownDependencies {
  readonly baseUrl: string;
  readonly keySet: () => Promise<KeySet>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly log: Log;
  /** Milliseconds within which to answer. */
  readonly answerWithinMs?: number;
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
      const limit = dependencies.answerWithinMs ?? answerWithinMs;
      return answerWith(await withinDeadline(limit, document), event.headers['if-none-match']);
    } catch (error) {
      const { requestId } = event.requestContext;
      dependencies.log('ERROR', 'requestFailed', {
        request_id: requestId,
        route: event.routeKey,
        ...describeError(error),
      });
      return jsonAnswer(500, internalErrorBody, noStore);
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

/** Makes a document that never changes when it is first asked for. */
function once(content: () => unknown): () => Promise<Document> {
  let document: Document | undefined;
  return async () => {
    document ??= createDocument(content());
    return document;
  };
}
