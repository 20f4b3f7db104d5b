import { untilNotThrottled } from '../../support/throttled.ts';
import { type CheckResponse, type OpenApiDocument, responseChecker } from './document.ts';
import { exchange, type Headers, type HttpResponse, type Question } from './http.ts';

/**
 * Creates a client of the service at `baseUrl`, which may contain a path. Each response is checked against the
 * rules for all responses.
 */
export function connectApi(baseUrl: string) {
  const prefix = new URL(baseUrl).pathname.replace(/\/$/, '');
  const ask = (question: Question) =>
    untilNotThrottled(() => exchange(baseUrl, { ...question, path: `${prefix}${question.path}` }));
  const document = once(async () => {
    const response = await ask({ method: 'GET', path: '/v0/openapi.json' });
    return JSON.parse(response.text) as OpenApiDocument;
  });
  const checker = once(async () => responseChecker(await document()));
  const call = async (question: Question) => {
    const [response, checkResponse] = await Promise.all([ask(question), checker()]);
    checkEveryResponse(question, response, checkResponse);
    return response;
  };
  return {
    baseUrl,
    /**
     * Sends requests without the checks: for rejections by API Gateway, which the API description doesn't list.
     */
    ask,
    document,
    call,
    get: (path: string, headers: Headers = {}) => call({ method: 'GET', path, headers }),
  };
}

function checkEveryResponse(question: Question, response: HttpResponse, checkResponse: CheckResponse): void {
  rejectCors(response);
  if (response.status >= 400 && question.method !== 'HEAD') {
    requireJsonObject(response);
  }
  checkResponse(question, response);
}

/** docs/api.md 14.1: no CORS support. */
function rejectCors(response: HttpResponse): void {
  const names = Object.keys(response.headers).filter((name) => name.startsWith('access-control-'));
  if (names.length > 0) {
    throw new Error(`A response carries CORS headers: ${names.join(', ')}`);
  }
}

/** docs/api.md 1.3: all error bodies are JSON. */
function requireJsonObject(response: HttpResponse): void {
  const type = response.headers['content-type'] ?? 'none';
  if (!/^application\/json(;|$)/.test(type)) {
    throw new Error(`An error (${response.status}) is of type ${type}`);
  }
  const body: unknown = JSON.parse(response.text);
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new Error(`The body of an error (${response.status}) is not an object`);
  }
}

/** Runs `work` at the first call, and returns the same outcome for every later call. */
export function once<Value>(work: () => Promise<Value>): () => Promise<Value> {
  let outcome: Promise<Value> | undefined;
  return () => {
    outcome ??= work();
    return outcome;
  };
}
