import { createServiceMetrics } from '../../cloudwatch/service-metrics.ts';

/** Recorded metrics, one per line. */
function recordedBy(act: (metrics: ReturnType<typeof createServiceMetrics>) => void): string[] {
  const lines: string[] = [];
  const metrics = createServiceMetrics(
    (metric) => lines.push(JSON.stringify(metric)),
    () => 7,
  );
  act(metrics);
  return lines;
}

test.for([
  [399, 0, 0],
  [400, 1, 0],
  [499, 1, 0],
  [500, 0, 1],
])('a response with %i counts %i for 4xx and %i for 5xx', ([status = 0, of4xx, of5xx]) => {
  const request = { apiId: 'api', status, responseLatency: 5, time: new Date(9) };
  const common = '"namespace":"AWS/ApiGateway","dimensions":{"ApiId":"api"},"at":9';
  expect(recordedBy((metrics) => metrics.request(request))).toEqual([
    `{${common},"name":"Count","values":[1]}`,
    `{${common},"name":"4xx","values":[${of4xx}]}`,
    `{${common},"name":"5xx","values":[${of5xx}]}`,
    `{${common},"name":"Latency","values":[5]}`,
  ]);
});

test.for([
  [true, 0],
  [false, 1],
] as const)('an invocation whose success is %s counts %i errors', ([ok, count]) => {
  expect(recordedBy((metrics) => metrics.invoked('fn', ok))).toEqual([
    '{"namespace":"AWS/Lambda","name":"Invocations","dimensions":{"FunctionName":"fn"},"values":[1],"at":7}',
    `{"namespace":"AWS/Lambda","name":"Errors","dimensions":{"FunctionName":"fn"},"values":[${count}],"at":7}`,
  ]);
});
