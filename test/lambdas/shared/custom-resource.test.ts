import { createCustomResourceResponder } from '../../../lambdas/shared/custom-resource.ts';

const request = {
  RequestType: 'Create',
  ResponseURL: 'https://responses.test.invalid/?signature=hush',
  StackId: 'stack',
  RequestId: 'request',
  LogicalResourceId: 'SigningKeys',
} as const;

/**
 * Creates a responder for CloudFormation whose PUTs end with these statuses; without a status, a PUT fails.
 */
function responding(...statuses: readonly (number | undefined)[]) {
  const received: Request[] = [];
  const response = createCustomResourceResponder({
    physicalResourceId: 'signing-keys',
    put: async (url, options) => {
      const status = statuses[received.length];
      received.push(new Request(url, options));
      if (status === undefined) {
        throw new TypeError('fetch failed');
      }
      return new Response(null, { status });
    },
    sleep: async () => undefined,
    random: () => 0.5,
  });
  return { response, received };
}

test.for([
  [undefined, { Status: 'SUCCESS' }],
  ['It failed', { Status: 'FAILED', Reason: 'It failed' }],
] as const)(
  'a response of the failure %j is one PUT as CloudFormation wants it',
  async ([failure, outcome]) => {
    const { response, received } = responding(200);
    await response(request, failure);
    const [put] = received;
    // The URL is not signed with a Content-Type.
    const seen = [received.length, put?.method, put?.url, put?.headers.get('content-type')];
    expect(seen).toEqual([1, 'PUT', request.ResponseURL, null]);
    const ids = { StackId: 'stack', RequestId: 'request', LogicalResourceId: 'SigningKeys' };
    expect(await put?.json()).toEqual({ ...outcome, PhysicalResourceId: 'signing-keys', ...ids });
  },
);

test('a response that CloudFormation rejects is retried', async () => {
  const { response, received } = responding(503, undefined, 200);
  await response(request);
  expect(received).toHaveLength(3);
});

test('a response that is always rejected is an error without the URL', async () => {
  const { response, received } = responding(503, 403, undefined, 200);
  await expect(response(request)).rejects.toThrow(/^CloudFormation did not accept the response$/);
  expect(received).toHaveLength(3);
});
