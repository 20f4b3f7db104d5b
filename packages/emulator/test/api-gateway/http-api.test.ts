import { expect, it } from 'vitest';
import { readHttpApi } from '../../api-gateway/http-api.ts';
import { functionArn, lambda, permission, resource } from '../support/aws-services.ts';

const api = resource('Api', 'AWS::ApiGatewayV2::Api', { Name: 'Api', ProtocolType: 'HTTP' });
const integration = resource('Integration', 'AWS::ApiGatewayV2::Integration', {
  ApiId: api.ref,
  IntegrationType: 'AWS_PROXY',
  IntegrationUri: functionArn('Handler'),
  PayloadFormatVersion: '2.0',
});

/** The resources of an API with one route. */
function resourcesOf({ RouteKey = 'POST /things/{id}/act', permitted = '/*/POST/things/*/act' } = {}) {
  return [
    lambda('Handler'),
    api,
    integration,
    resource('Stage', 'AWS::ApiGatewayV2::Stage', {
      ApiId: api.ref,
      StageName: '$default',
      AutoDeploy: true,
      DefaultRouteSettings: { ThrottlingRateLimit: 5, ThrottlingBurstLimit: 10 },
    }),
    resource('Route', 'AWS::ApiGatewayV2::Route', {
      ApiId: api.ref,
      RouteKey,
      Target: `integrations/${integration.ref}`,
    }),
    permission('Handler', 'apigateway.amazonaws.com', {
      SourceArn: `arn:aws:execute-api:us-east-1:000000000000:${api.ref}${permitted}`,
    }),
  ];
}

it('an HTTP API has its routes, functions and throttling', () => {
  expect(readHttpApi(resourcesOf())).toMatchObject({
    routes: [
      {
        routeKey: 'POST /things/{id}/act',
        method: 'POST',
        segments: [{ text: 'things' }, { parameter: 'id' }, { text: 'act' }],
        functionName: 'test-Handler',
        timeoutMilliseconds: 30_000,
      },
    ],
    throttle: { rate: 5, burst: 10 },
    accessLogFormat: undefined,
    accessLogGroup: undefined,
  });
});

it('it may not start when API Gateway may not invoke the function', () => {
  expect(() => readHttpApi(resourcesOf({ permitted: '/*/POST/others' }))).toThrow(
    /Resource Route \(AWS::ApiGatewayV2::Route\): API Gateway may not invoke Handler/,
  );
});

it.for(['$default', 'ANY /things', 'GET /{proxy+}', 'GET things'])(
  'it may not have the route key %s',
  (RouteKey) => {
    const read = () => readHttpApi(resourcesOf({ RouteKey }));
    expect(read).toThrow(/Resource Route .* is not supported/);
  },
);
