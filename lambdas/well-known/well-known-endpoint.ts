import { routeKey, routes } from '../../contract/routes.ts';
import { type Version, type VersionEnds, versionNames, versions } from '../../contract/versions.ts';
import type { KeySet } from '../../storage/signing-keys.ts';
import { answerWithinMilliseconds } from '../shared/aws-clients.ts';
import { withinDeadline } from '../shared/deadline.ts';
import {
  answerUnexpectedError,
  createRoutedHandler,
  type Handler,
  type Headers,
  noStore,
} from '../shared/http-messages.ts';
import type { Log, LogFields } from '../shared/log.ts';
import { announcedEnd, untilSunset } from '../shared/version-end.ts';
import { answerWith, createDocument, type Document } from './cacheable-document.ts';
import { describeEnd } from './describe-end.ts';
import { discoveryDocument, keySetDocument, openapiDocument } from './documents.ts';

export interface WellKnownDependencies {
  readonly baseUrl: string;
  readonly keySet: () => Promise<KeySet>;
  /** What is announced about the end of versions. Absent: nothing. */
  readonly ends?: VersionEnds;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly log: Log;
  /** Milliseconds within which to answer. */
  readonly answerWithinMilliseconds?: number;
}

type MakeDocument = () => Promise<Document>;

/** By route key. */
type Handlers = Readonly<Record<string, Handler>>;

/** The handler of the public documents. Never throws. */
export function createWellKnownHandler(dependencies: WellKnownDependencies): Handler {
  const handlers = { ...wellKnownDocuments(dependencies), ...apiDescriptions(dependencies) };
  return createRoutedHandler(handlers, dependencies.log, 'No document for this route');
}

function wellKnownDocuments(dependencies: WellKnownDependencies): Handlers {
  const { baseUrl, keySet, now } = dependencies;
  const serve = (document: MakeDocument) => answerWithDocument(document, {}, {}, dependencies);
  return {
    [routeKey(routes.openidConfiguration)]: serve(once(() => discoveryDocument(baseUrl))),
    [routeKey(routes.keySet)]: serve(async () => createDocument(keySetDocument(await keySet(), now()))),
  };
}

/** The description of each version, until the version ends. */
function apiDescriptions(dependencies: WellKnownDependencies): Handlers {
  const { ends = {}, now, log } = dependencies;
  const entries = versionNames.map((version) => {
    const end = announcedEnd(version, ends);
    const document = descriptionOf(version, end.deprecatedAt, dependencies);
    const handler = answerWithDocument(document, end.headers, { version }, dependencies);
    return [routeKey(versions[version].description), untilSunset(version, handler, end, { now, log })];
  });
  return Object.fromEntries(entries);
}

function descriptionOf(
  version: Version,
  deprecatedAt: number | undefined,
  { baseUrl, ends = {}, now }: WellKnownDependencies,
): () => Promise<Document> {
  const end = ends[version];
  if (end === undefined) {
    return once(() => openapiDocument(version, baseUrl));
  }
  const make = (isDeprecated: boolean) =>
    once(() => describeEnd(openapiDocument(version, baseUrl), version, end, isDeprecated));
  const [before, since] = [make(false), make(true)];
  return () => (deprecatedAt !== undefined && now() >= deprecatedAt ? since() : before());
}

/**
 * @param headers for every answer
 * @param fields for every line of the log
 */
function answerWithDocument(
  document: MakeDocument,
  headers: Headers,
  fields: LogFields,
  { log, answerWithinMilliseconds: limit = answerWithinMilliseconds }: WellKnownDependencies,
): Handler {
  return async (event) => {
    try {
      return answerWith(await withinDeadline(limit, document), event.headers['if-none-match'], headers);
    } catch (error) {
      return answerUnexpectedError(error, event, log, { ...noStore, ...headers }, fields);
    }
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
