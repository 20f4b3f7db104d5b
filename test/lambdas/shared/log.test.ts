import { describe, expect, test } from 'vitest';
import { createLog, describeError, InternalError, withoutDetail } from '../../../lambdas/shared/log/log.ts';
import { StoredDataError } from '../../../storage/stored-data.ts';

describe('log', () => {
  test('writes one JSON object on one line, whatever the fields hold (log injection)', () => {
    const lines: string[] = [];
    const log = createLog({ write: (line) => lines.push(line), now: () => 0 });
    log('WARN', 'foreignObject', { key: 'a\n{"level":"ERROR"}\r\u2028' });
    expect(lines).toHaveLength(1);
    expect(lines[0]?.trimEnd().split('\n')).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toEqual({
      timestamp: '1970-01-01T00:00:00.000Z',
      level: 'WARN',
      message: 'Object ignored, its key is not that of an upload',
      key: 'a\n{"level":"ERROR"}\r\u2028',
    });
  });
});

describe('what is logged of an error', () => {
  test('is where it was thrown: at most five places, and no other line of its stack', () => {
    const error = new Error('hush');
    const places = Array.from({ length: 6 }, (_, line) => `at act (file:///var/task/index.mjs:1${line}:17)`);
    const noise = ['Error: hush', '    hush at x:1:1', '    at hush:1:1 hush', '    at hush', '    at x:1:1'];
    error.stack = [...noise, ...places.map((place) => `    ${place}`)].join('\n');
    expect(describeError(error).error_at).toEqual(['at x:1:1', ...places.slice(0, 4)]);
  });

  test('is not the message of a foreign error, in its stack neither', () => {
    expect(JSON.stringify(describeError(new Error('token=hush\nat hush:1:1')))).not.toContain('hush');
  });

  test('is what AWS said of a failed call, and its message only for a denied action', () => {
    const metadata = { httpStatusCode: 400, requestId: 'aws-1', attempts: 3, cfId: 'x' };
    const denied = Object.assign(new Error('not authorized to perform dynamodb:GetItem'), {
      name: 'AccessDeniedException',
      $metadata: metadata,
    });
    expect(describeError(denied)).toMatchObject({
      error_name: 'AccessDeniedException',
      error_message: 'not authorized to perform dynamodb:GetItem',
      aws_status: 400,
      aws_request_id: 'aws-1',
      aws_attempts: 3,
    });
    const quoting = new Error('canonical request: hush');
    for (const change of [{ $metadata: metadata }, { name: 'NoAccessDenied' }]) {
      expect(JSON.stringify(describeError(Object.assign(quoting, change)))).not.toContain('hush');
    }
  });

  test('is its type alone, if it is no error', () => {
    const thrown = [undefined, null, 'hush', 42];
    expect(thrown.map(describeError)).toEqual(thrown.map((it) => ({ error_name: typeof it })));
  });
});

describe('what a function throws', () => {
  test('is an error of ours itself, and of any other its kind alone, with a pointer to the log', () => {
    for (const error of [new InternalError('ours'), new StoredDataError('wrong at: a')]) {
      expect(withoutDetail(error)).toBe(error);
    }
    for (const [error, kind] of [
      [Object.assign(new Error('hush'), { name: 'SomeError' }), 'SomeError'],
      ['hush', 'string'],
      [undefined, 'undefined'],
    ]) {
      const message = `${kind}: see the log of the function`;
      expect(withoutDetail(error)).toMatchObject({ name: 'InternalError', message });
      expect(withoutDetail(error)).not.toHaveProperty('cause');
    }
  });
});
