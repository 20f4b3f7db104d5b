import { describe, expect, it } from 'vitest';
import type { AccessLogEntry } from '../../emulator/api-gateway/access-log.ts';
import { recordRequest } from '../../emulator/api-gateway/api-metrics.ts';
import { readHttpApi } from '../../emulator/api-gateway/http-api.ts';
import type { MetricData, RecordMetric } from '../../emulator/cloudwatch/metric-store.ts';
import { createBusMetrics } from '../../emulator/events/bus-metrics.ts';
import type { EventTarget } from '../../emulator/events/targets.ts';
import { createFunctionMetrics } from '../../emulator/lambda/function-metrics.ts';
import { createQueueMetrics } from '../../emulator/sqs/queue-metrics.ts';
import type { Queue } from '../../emulator/sqs/queues.ts';
import { lambda, permission, resource } from './support/aws-services.ts';

/** Takes metrics, and shows those with a dimension as `name=value`, in the order in which they came. */
function recorder() {
  const recorded: MetricData[] = [];
  const record: RecordMetric = (data) => void recorded.push(data);
  const shown = (dimensions: Readonly<Record<string, string>>) =>
    recorded
      .filter((data) => JSON.stringify(data.dimensions) === JSON.stringify(dimensions))
      .map(({ name, values }) => `${name}=${values}`);
  return { recorded, record, shown };
}

describe('API Gateway', () => {
  const apiWith = (detailed: boolean, routeSettings: Record<string, unknown> = {}) =>
    readHttpApi([
      resource('Api', 'AWS::ApiGatewayV2::Api', { Name: 'Api', ProtocolType: 'HTTP' }),
      resource('Stage', 'AWS::ApiGatewayV2::Stage', {
        ApiId: 'x',
        StageName: '$default',
        AutoDeploy: true,
        DefaultRouteSettings: { DetailedMetricsEnabled: detailed },
        RouteSettings: routeSettings,
      }),
      resource('Route', 'AWS::ApiGatewayV2::Route', {
        ApiId: 'x',
        RouteKey: 'GET /a/{id}',
        Target: `integrations/${resource('Link', 'AWS::ApiGatewayV2::Integration', link).ref}`,
      }),
      resource('Link', 'AWS::ApiGatewayV2::Integration', link),
      lambda('Fn'),
      permission('Fn', 'apigateway.amazonaws.com', {}),
    ]);
  const link = {
    ApiId: 'x',
    IntegrationType: 'AWS_PROXY',
    IntegrationUri: 'arn:aws:lambda:us-east-1:000000000000:function:test-Fn',
    PayloadFormatVersion: '2.0',
  };
  const entry = {
    status: 503,
    responseLength: 10,
    responseLatency: 8,
    integrationLatency: 5,
    routeKey: 'GET /a/{id}',
    time: new Date(0),
  } as AccessLogEntry;

  it('counts each request, its errors and its times, by API and by stage', () => {
    const api = apiWith(false);
    const { recorded, record, shown } = recorder();
    recordRequest(entry, api, record);
    const expected = ['Count=1', '4xx=0', '5xx=1', 'Latency=8', 'DataProcessed=10', 'IntegrationLatency=5'];
    expect(shown({ ApiId: api.apiId })).toEqual(expected);
    expect(shown({ ApiId: api.apiId, Stage: '$default' })).toEqual(expected);
    expect(recorded).toHaveLength(2 * expected.length);
  });

  it('counts 4xx without an integration for what it refuses itself', () => {
    const api = apiWith(false);
    const { record, shown } = recorder();
    recordRequest({ ...entry, status: 429, integrationLatency: undefined }, api, record);
    expect(shown({ ApiId: api.apiId })).toEqual([
      'Count=1',
      '4xx=1',
      '5xx=0',
      'Latency=8',
      'DataProcessed=10',
    ]);
  });

  it.each([
    ['the stage asks for it', apiWith(true), true],
    ['the route asks for it', apiWith(false, { 'GET /a/{id}': { DetailedMetricsEnabled: true } }), true],
    ['the route refuses it', apiWith(true, { 'GET /a/{id}': { DetailedMetricsEnabled: false } }), false],
  ])('counts by route when %s', (_, api, expected) => {
    const { record, shown } = recorder();
    recordRequest(entry, api, record);
    const ofRoute = shown({ ApiId: api.apiId, Stage: '$default', Method: 'GET', Resource: '/a/{id}' });
    expect(ofRoute.includes('Count=1')).toBe(expected);
  });
});

describe('Lambda', () => {
  it('counts invocations, errors and throttles, by function and for the account', () => {
    const { record, shown } = recorder();
    const metrics = createFunctionMetrics('fn', record, () => 0);
    metrics.started(2);
    metrics.invoked({ ok: true, payload: null }, 3);
    metrics.invoked({ ok: false, error: { errorType: 'E', errorMessage: 'm' } }, 4);
    metrics.throttled();
    const expected = [
      'ConcurrentExecutions=2',
      ...['Invocations=1', 'Errors=0', 'Throttles=0', 'Duration=3'],
      ...['Invocations=1', 'Errors=1', 'Throttles=0', 'Duration=4'],
      'Throttles=1',
    ];
    expect(shown({ FunctionName: 'fn' })).toEqual(expected);
    expect(shown({})).toEqual(expected);
  });
});

describe('EventBridge', () => {
  const retries = { retries: 1, maximumAgeSeconds: 1, deadLetterQueueArn: 'queue' as string | undefined };
  const target: EventTarget = {
    kind: 'function',
    ruleArn: 'arn:aws:events:us-east-1:000000000000:rule/test-Rule',
    bus: 'default',
    functionName: 'fn',
    delivery: retries,
    invocation: { ...retries, roleArn: 'role' },
  };
  const outcomes = (outcome: 'forbidden' | 'function-failed', kept: boolean, of = target) => {
    const { record, shown } = recorder();
    createBusMetrics(record, () => 0).gaveUp(of, { outcome, error: 'e' }, kept);
    return [shown({ RuleName: 'test-Rule' }), shown({ FunctionName: 'fn' })];
  };

  it('counts what it could not deliver, and what became of it', () => {
    const failed = ['Invocations=1', 'FailedInvocations=1'];
    expect(outcomes('forbidden', true)).toEqual([[...failed, 'InvocationsSentToDlq=1'], []]);
    expect(outcomes('forbidden', false)).toEqual([[...failed, 'InvocationsFailedToBeSentToDlq=1'], []]);
    const without = { ...target, delivery: { ...retries, deadLetterQueueArn: undefined } };
    expect(outcomes('forbidden', false, without)).toEqual([failed, []]);
  });

  it('counts for a rule of another bus than the default one by that bus as well', () => {
    const { record, recorded, shown } = recorder();
    const of = { ...target, bus: 'orders' };
    const metrics = createBusMetrics(record, () => 0);
    metrics.delivered(of);
    metrics.gaveUp(of, { outcome: 'forbidden', error: 'e' }, true);
    expect(shown({ EventBusName: 'orders', RuleName: 'test-Rule' })).toEqual([
      'Invocations=1',
      'Invocations=1',
      'FailedInvocations=1',
      'InvocationsSentToDlq=1',
    ]);
    const ofRules = recorded.filter(({ namespace }) => namespace === 'AWS/Events');
    expect(ofRules).toHaveLength(4);
  });

  it('leaves to Lambda what the function failed on', () => {
    expect(outcomes('function-failed', true)).toEqual([[], ['AsyncEventsDropped=1']]);
    expect(outcomes('function-failed', false)).toEqual([[], ['AsyncEventsDropped=1', 'DeadLetterErrors=1']]);
  });
});

describe('SQS', () => {
  it('measures a queue each minute and at each change, until six hours after its last message', () => {
    let counts: ReturnType<Queue['counts']> = { visible: 0, inFlight: 0, oldestSentAt: undefined };
    let now = 60_000;
    const { recorded, record, shown } = recorder();
    const measure = createQueueMetrics(new Map([['q', { counts: () => counts } as Queue]]), () => now);
    measure(record);
    expect(recorded).toEqual([]);
    counts = { visible: 1, inFlight: 0, oldestSentAt: 50_000 };
    measure(record);
    measure(record);
    expect(shown({ QueueName: 'q' })).toEqual([
      'ApproximateNumberOfMessagesVisible=1',
      'ApproximateNumberOfMessagesNotVisible=0',
      'ApproximateAgeOfOldestMessage=10',
    ]);
    now += 60_000;
    measure(record);
    expect(recorded).toHaveLength(6);
    counts = { visible: 0, inFlight: 0, oldestSentAt: undefined };
    measure(record);
    expect(recorded).toHaveLength(9);
    now += 6 * 3_600_000;
    measure(record);
    expect(recorded).toHaveLength(9);
  });
});
