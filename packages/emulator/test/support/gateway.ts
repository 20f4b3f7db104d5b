import type { AccessLogEntry } from '../../api-gateway/access-log.ts';
import { parseRouteKey, type Route } from '../../api-gateway/routes.ts';
import { openGateway } from '../../api-gateway/server.ts';
import type { InvokeResult } from '../../lambda/invoke.ts';
import { atEnd } from './at-end.ts';
import { exchange } from './exchange.ts';

/** Starts a gateway for a function of the test, until the end of the test or of the file. */
export interface TestGateway {
  readonly url: string;
  readonly entries: readonly AccessLogEntry[];
  readonly close: () => Promise<void>;
  /** Sends bytes unchanged. Resolves with the whole response when the server closes the connection. */
  readonly sendRaw: (...parts: readonly (string | Buffer)[]) => Promise<string>;
}

export interface TestGatewayOptions {
  readonly invoke: (event: unknown) => Promise<InvokeResult> | InvokeResult;
  readonly routeKeys?: readonly string[];
  readonly timeoutMilliseconds?: number;
}

function route(routeKey: string, timeoutMilliseconds = 30_000): Route {
  return { ...Object(parseRouteKey(routeKey)), routeKey, functionName: 'echo', timeoutMilliseconds };
}

const defaultRouteKeys = ['GET /things', 'POST /things', 'GET /things/{id}', 'POST /things/{id}/act'];

export async function startGateway(options: TestGatewayOptions): Promise<TestGateway> {
  let count = 0;
  const entries: AccessLogEntry[] = [];
  const createRequestId = () => {
    count += 1;
    return `request-${count}`;
  };
  const gateway = await openGateway(0, [], createRequestId);
  atEnd(gateway.close);
  gateway.serve({
    api: {
      apiId: 'api123',
      routes: (options.routeKeys ?? defaultRouteKeys).map((key) => route(key, options.timeoutMilliseconds)),
      throttle: { rate: 1, burst: 1 },
      routeThrottles: new Map(),
      accessLogFormat: '',
      accessLogGroup: '',
    },
    invoke: async (_, payload) => options.invoke(payload),
    mayPass: () => true,
    now: Date.now,
    accountId: '000000000000',
    logAccess: (entry) => entries.push(entry),
  });
  return {
    url: gateway.baseUrl,
    entries,
    close: gateway.close,
    sendRaw: (...parts) => exchange(gateway.baseUrl, parts),
  };
}

/** A function that returns its event. */
export function echo(event: unknown): InvokeResult {
  const headers = { 'content-type': 'application/json' };
  return { ok: true, payload: { statusCode: 200, headers, body: JSON.stringify(event) } };
}
