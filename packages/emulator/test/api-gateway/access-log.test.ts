import { describe, expect, it } from 'vitest';
import { type AccessLogEntry, createAccessLogFormatter } from '../../api-gateway/access-log.ts';

const entry: AccessLogEntry = {
  requestId: 'id1',
  time: new Date('2026-01-31T09:00:00Z'),
  method: 'GET',
  path: '/things',
  protocol: 'HTTP/1.1',
  sourceIp: '127.0.0.1',
  userAgent: 'x"}\n{"forged":"',
  routeKey: 'GET /things',
  status: 200,
  responseLength: 12,
  responseLatency: 5,
  integrationLatency: 4,
  integrationError: undefined,
  errorMessage: undefined,
  apiId: 'api123',
  accountId: '000000000000',
  domainName: '127.0.0.1',
};

describe('the access log', () => {
  it("is written in the stage's format", () => {
    const format = createAccessLogFormatter(
      '{"id":"$context.requestId","at":"$context.requestTime","status":$context.status,"ms":"$context.integration.latency"}',
    );
    expect(JSON.parse(format(entry))).toEqual({
      id: 'id1',
      at: '31/Jan/2026:09:00:00 +0000',
      status: 200,
      ms: '4',
    });
  });

  it('has a dash for what there is not', () => {
    const format = createAccessLogFormatter('$context.error.message $context.integrationErrorMessage');
    expect(format(entry)).toBe('- -');
  });

  it('cannot be forged by what a client sends', () => {
    const format = createAccessLogFormatter('{"agent":"$context.identity.userAgent"}');
    expect(format(entry)).not.toContain('\n');
    expect(JSON.parse(format(entry))).toEqual({ agent: entry.userAgent });
  });

  it('stops the start when the format has a variable that is not known', () => {
    expect(() => createAccessLogFormatter('$context.identity.cognito $context.status')).toThrow(
      /\$context\.identity\.cognito/,
    );
  });
});
