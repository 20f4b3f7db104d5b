import { describe, expect, it } from 'vitest';
import { type AccessLogEntry, createAccessLogFormatter } from '../../api-gateway/access-log.ts';

const entry: AccessLogEntry = {
  requestId: 'id1',
  time: new Date('2026-01-31T09:00:00Z'),
  sourceIp: '127.0.0.1',
  routeKey: 'GET /things',
  status: 200,
  responseLength: 12,
  responseLatency: 5,
  integrationLatency: 4,
  integrationError: undefined,
  errorMessage: undefined,
  apiId: 'api123',
  domainName: '127.0.0.1',
};

describe('the access log', () => {
  it("is written in the stage's format, with a dash for what there is not", () => {
    const format = createAccessLogFormatter(
      '{"at":"$context.requestTime","status":$context.status,"ms":"$context.integrationLatency","error":"$context.integrationErrorMessage"}',
    );
    expect(JSON.parse(format(entry))).toEqual({
      at: '31/Jan/2026:09:00:00 +0000',
      status: 200,
      ms: '4',
      error: '-',
    });
  });

  it('cannot be forged by what a client sends', () => {
    const format = createAccessLogFormatter('{"domain":"$context.domainName"}');
    const domainName = 'x"}\n{"forged":"';
    expect(JSON.parse(format({ ...entry, domainName }))).toEqual({ domain: domainName });
  });

  it('stops the start when the format has a variable that is not known', () => {
    expect(() => createAccessLogFormatter('$context.identity.cognito $context.status')).toThrow(
      /\$context\.identity\.cognito/,
    );
  });
});
