import { describe, expect, it } from 'vitest';
import { readHttpApi } from '../../api-gateway/http-api.ts';
import { loadTemplate } from '../../cloudformation/load-template.ts';
import { resourceTypes } from '../../resource-types.ts';
import { stack } from '../support/aws-services.ts';

const functionArn = 'arn:aws:lambda:us-east-1:000000000000:function:test-Handler';

function permission(path: string): Record<string, unknown> {
  const api = { Ref: 'Api' };
  return {
    Action: 'lambda:InvokeFunction',
    FunctionName: functionArn,
    Principal: 'apigateway.amazonaws.com',
    SourceArn: { 'Fn::Join': ['', ['arn:aws:execute-api:us-east-1:000000000000:', api, path]] },
  };
}

function resourcesOf(changes: Readonly<Record<string, unknown>> = {}) {
  const api = { ApiId: { Ref: 'Api' } };
  const integration = {
    IntegrationType: 'AWS_PROXY',
    IntegrationUri: functionArn,
    PayloadFormatVersion: '2.0',
  };
  const template = {
    Resources: {
      Handler: {
        Type: 'AWS::Lambda::Function',
        Properties: {
          Code: { S3Bucket: 'b', S3Key: 'k' },
          Handler: 'index.handler',
          Role: 'r',
          Runtime: 'nodejs24.x',
        },
      },
      Api: { Type: 'AWS::ApiGatewayV2::Api', Properties: { Name: 'Api', ProtocolType: 'HTTP' } },
      Stage: {
        Type: 'AWS::ApiGatewayV2::Stage',
        Properties: {
          ...api,
          StageName: '$default',
          AutoDeploy: true,
          DefaultRouteSettings: { ThrottlingRateLimit: 5, ThrottlingBurstLimit: 10 },
        },
      },
      Integration: { Type: 'AWS::ApiGatewayV2::Integration', Properties: { ...api, ...integration } },
      Route: {
        Type: 'AWS::ApiGatewayV2::Route',
        Properties: {
          ...api,
          RouteKey: 'POST /things/{id}/act',
          Target: { 'Fn::Join': ['', ['integrations/', { Ref: 'Integration' }]] },
        },
      },
      Permission: { Type: 'AWS::Lambda::Permission', Properties: permission('/*/POST/things/*/act') },
      ...changes,
    },
  };
  return loadTemplate(template, resourceTypes, stack).resources;
}

describe('the HTTP API of a template', () => {
  it('has its routes, functions and throttling', () => {
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

  it('may not start when API Gateway would not be allowed to invoke the function', () => {
    const Permission = { Type: 'AWS::Lambda::Permission', Properties: permission('/*/POST/others') };
    expect(() => readHttpApi(resourcesOf({ Permission }))).toThrow(
      /Resource Route \(AWS::ApiGatewayV2::Route\): API Gateway may not invoke Handler/,
    );
  });

  it.each(['$default', 'ANY /things', 'GET /{proxy+}', 'GET things'])(
    'may not have the route key %s',
    (RouteKey) => {
      const Route = {
        Type: 'AWS::ApiGatewayV2::Route',
        Properties: { ApiId: 'x', RouteKey, Target: 'integrations/x' },
      };
      expect(() => readHttpApi(resourcesOf({ Route }))).toThrow(/Resource Route .* is not supported/);
    },
  );
});
