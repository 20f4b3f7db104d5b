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
  domainName: 'my.api',
};

describe('the access log', () => {
  it('follows the format of the stage, with a dash for an absent value', () => {
    const format = createAccessLogFormatter(
      '$context.domainName $context.error.responseType $context.identity.sourceIp $context.integrationErrorMessage ' +
        '$context.integrationLatency $context.integrationStatus $context.requestId $context.requestTime ' +
        '$context.responseLatency $context.responseLength $context.routeKey $context.status',
    );
    expect(format(entry)).toBe(
      'my.api - 127.0.0.1 - 4 200 id1 31/Jan/2026:09:00:00 +0000 5 12 GET /things 200',
    );
    expect(format({ ...entry, routeKey: undefined, integrationLatency: undefined })).toBe(
      'my.api - 127.0.0.1 - - - id1 31/Jan/2026:09:00:00 +0000 5 12 - 200',
    );
  });

  it.for([
    [404, 'DEFAULT_4XX -'],
    [413, 'REQUEST_TOO_LARGE -'],
    [429, 'THROTTLED -'],
    [500, 'DEFAULT_5XX -'],
  ] as const)('contains the type of a response of the gateway: %i', ([status, expected]) => {
    const format = createAccessLogFormatter('$context.error.responseType $context.integrationStatus');
    expect(format({ ...entry, status, errorMessage: 'no', integrationError: 'no' })).toBe(expected);
  });

  it('cannot be forged by a client', () => {
    const format = createAccessLogFormatter('{"domain":"$context.domainName"}');
    const domainName = 'x"}\n{"forged":"';
    expect(JSON.parse(format({ ...entry, domainName }))).toEqual({ domain: domainName });
  });

  it('stops the start if the format contains an unknown variable', () => {
    expect(() => createAccessLogFormatter('$context.identity.cognito $context.status')).toThrow(
      /\$context\.identity\.cognito/,
    );
  });
});
