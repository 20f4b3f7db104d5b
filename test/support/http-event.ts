import type { HttpAnswer, HttpEvent } from '../../lambdas/shared/http/messages.ts';

export function httpEvent(event: Partial<HttpEvent> = {}): HttpEvent {
  return {
    routeKey: 'GET /',
    headers: {},
    isBase64Encoded: false,
    requestContext: { requestId: 'request-1' },
    ...event,
  };
}

export function bodyOf(answer: HttpAnswer): Record<string, unknown> {
  return JSON.parse(answer.body ?? '') as Record<string, unknown>;
}

export function header(answer: HttpAnswer, name: string): string | undefined {
  const value = answer.headers?.[name];
  return value === undefined ? undefined : String(value);
}
