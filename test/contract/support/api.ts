import { untilNotThrottled } from '../../support/throttled.ts';
import { answerChecker, type CheckAnswer, type OpenApiDocument } from './document.ts';
import { type Answer, exchange, type Question } from './http.ts';

/** The service over HTTP. Each answer is checked for what must be true of all answers. */
export interface Api {
  readonly baseUrl: string;
  readonly call: (question: Question) => Promise<Answer>;
  /** Requests without the checks: for refusals of API Gateway, which the API description doesn't list. */
  readonly ask: (question: Question) => Promise<Answer>;
  readonly document: () => Promise<OpenApiDocument>;
}

/** Speaks to the service at `baseUrl`, which may have a path. */
export function connectApi(baseUrl: string): Api {
  const prefix = new URL(baseUrl).pathname.replace(/\/$/, '');
  const ask = (question: Question) =>
    untilNotThrottled(() => exchange(baseUrl, { ...question, path: `${prefix}${question.path}` }));
  const document = once(async () => {
    const answer = await ask({ method: 'GET', path: '/v0/openapi.json' });
    return JSON.parse(answer.text) as OpenApiDocument;
  });
  const checker = once(async () => answerChecker(await document()));
  return {
    baseUrl,
    ask,
    document,
    call: async (question) => {
      const [answer, checkAnswer] = await Promise.all([ask(question), checker()]);
      checkEveryAnswer(question, answer, checkAnswer);
      return answer;
    },
  };
}

function checkEveryAnswer(question: Question, answer: Answer, checkAnswer: CheckAnswer): void {
  refuseCors(answer);
  if (answer.status >= 400 && question.method !== 'HEAD') {
    requireJsonObject(answer);
  }
  checkAnswer(question, answer);
}

/** docs/api.md 14.1: no CORS support. */
function refuseCors(answer: Answer): void {
  const names = Object.keys(answer.headers).filter((name) => name.startsWith('access-control-'));
  if (names.length > 0) {
    throw new Error(`An answer carries CORS headers: ${names.join(', ')}`);
  }
}

/** docs/api.md 1.3: all error bodies are JSON. */
function requireJsonObject(answer: Answer): void {
  const type = answer.headers['content-type'] ?? 'none';
  if (!/^application\/json(;|$)/.test(type)) {
    throw new Error(`An error (${answer.status}) is of type ${type}`);
  }
  const body: unknown = JSON.parse(answer.text);
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new Error(`The body of an error (${answer.status}) is not an object`);
  }
}

/** Runs `work` at the first call and gives its outcome to every later one. */
export function once<Value>(work: () => Promise<Value>): () => Promise<Value> {
  let outcome: Promise<Value> | undefined;
  return () => {
    outcome ??= work();
    return outcome;
  };
}
