import type { HttpEvent, HttpResponse } from '../../lambdas/shared/http/messages.ts';

export function httpEvent(event: Partial<HttpEvent> = {}): HttpEvent {
  return {
    routeKey: 'GET /',
    headers: {},
    isBase64Encoded: false,
    requestContext: { requestId: 'request-1' },
    ...event,
  };
}

export function bodyOf(response: HttpResponse): Record<string, unknown> {
  return JSON.parse(response.body ?? '') as Record<string, unknown>;
}

export function header(response: HttpResponse, name: string): string | undefined {
  const value = response.headers?.[name];
  return value === undefined ? undefined : String(value);
}
