import { createLog, describeError, InternalError, withoutDetail } from '../../../lambdas/shared/log/log.ts';
import { StoredDataError } from '../../../storage/stored-data.ts';

test('the log has one JSON object on one line for any fields', () => {
  const lines: string[] = [];
  const log = createLog({ write: (line) => lines.push(line), now: () => 0 });
  log('WARN', 'foreignObject', { key: 'a\n{"level":"ERROR"}\r\u2028' });
  expect(lines.join('').trimEnd().split('\n')).toHaveLength(1);
  expect(JSON.parse(lines[0] ?? '')).toEqual({
    timestamp: '1970-01-01T00:00:00.000Z',
    level: 'WARN',
    message: 'Object ignored, its key is not that of an upload',
    key: 'a\n{"level":"ERROR"}\r\u2028',
  });
});

describe('the log of an error', () => {
  test('contains at most five places of its stack', () => {
    const error = new Error('hush');
    const places = Array.from({ length: 6 }, (_, line) => `at act (file:///var/task/index.mjs:1${line}:17)`);
    const noise = ['Error: hush', '    hush at x:1:1', '    at hush:1:1 hush', '    at hush', '    at x:1:1'];
    error.stack = [...noise, ...places.map((place) => `    ${place}`)].join('\n');
    expect(describeError(error).error_at).toEqual(['at x:1:1', ...places.slice(0, 4)]);
  });

  test('does not contain the message of a foreign error', () => {
    expect(JSON.stringify(describeError(new Error('token=hush\nat hush:1:1')))).not.toContain('hush');
  });

  const $metadata = { httpStatusCode: 400, requestId: 'aws-1', attempts: 3, cfId: 'x' };

  test('contains the message of AWS about a denied action', () => {
    const message = 'not authorized to perform dynamodb:GetItem';
    const denied = Object.assign(new Error(message), { name: 'AccessDeniedException', $metadata });
    expect(describeError(denied)).toMatchObject({
      error_name: 'AccessDeniedException',
      error_message: message,
      aws_status: 400,
      aws_request_id: 'aws-1',
      aws_attempts: 3,
    });
  });

  test.for([{ $metadata }, { name: 'NoAccessDenied' }])('contains no message of AWS with %j', (change) => {
    const quoting = Object.assign(new Error('canonical request: hush'), change);
    expect(JSON.stringify(describeError(quoting))).not.toContain('hush');
  });

  test('contains only the type of a value that is no error', () => {
    const thrown = [undefined, null, 'hush', 42];
    expect(thrown.map(describeError)).toEqual(thrown.map((it) => ({ error_name: typeof it })));
  });
});

describe('the error that a function throws', () => {
  test.for([new InternalError('ours'), new StoredDataError('wrong at: a')])(
    'is our error unchanged: %s',
    (error) => {
      expect(withoutDetail(error)).toBe(error);
    },
  );

  test.for([
    ['SomeError', Object.assign(new Error('hush'), { name: 'SomeError' })],
    ['string', 'hush'],
    ['undefined', undefined],
  ] as const)('contains only the kind of another error: %s', ([kind, error]) => {
    const message = `${kind}: see the log of the function`;
    expect(withoutDetail(error)).toMatchObject({ name: 'InternalError', message });
    expect(withoutDetail(error)).not.toHaveProperty('cause');
  });
});
