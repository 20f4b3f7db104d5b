import { expect, test, vi } from 'vitest';
import { savedQueries } from '../../../../lib/saved-queries.ts';
import {
  cloudFormationClient,
  cloudWatchLogsClient,
  dynamoDBClient,
} from '../../../../tools/operator/deployment/aws-clients.ts';
import type { Deployment } from '../../../../tools/operator/deployment/deployment.ts';
import { countRequests } from '../../../../tools/operator/requests/count-requests.ts';
import { readRequestTimeline } from '../../../../tools/operator/requests/timeline.ts';
import { outputs } from '../../../support/aws.ts';

/** Tests that a route which is only in the table of routes reaches everything that operators read. */

vi.mock(import('../../../../contract/routes.ts'), async (original) => {
  const contract = await original();
  const file = {
    method: 'GET',
    path: '/v0/files/{fileId}',
    needs: 'access token',
    scope: 'sync:create',
    returns: 'the details of a file',
    servedBy: 'file-details',
  };
  // Two routes of one function: its log is read once.
  const added = { file, fileHistory: { ...file, path: '/v0/files/{fileId}/history' } };
  return { ...contract, routes: { ...contract.routes, ...added } };
});

const at = Date.parse('2026-03-01T12:00:00Z');
const request_id = 'JKJaXmPLvHcESHA=';
const lines: Readonly<Record<string, object>> = {
  access: { request_id, route: 'GET /v0/files/{fileId}', status: '404', ip: '192.0.2.7' },
  details: { request_id, message: 'Request rejected', rejection: 'not_found' },
};

const deployment = await deploymentWith({
  StackResourceSummaries: [
    ['ApiAccessLogA1', 'access'],
    ['FileDetailsLogsB2', 'details'],
  ].map(([LogicalResourceId, PhysicalResourceId]) => ({
    ResourceType: 'AWS::Logs::LogGroup',
    LogicalResourceId,
    PhysicalResourceId,
  })),
});

/** Creates a deployment whose logs have one line each, and whose tables are empty. */
async function deploymentWith(resources: object): Promise<Deployment> {
  const made: Deployment = {
    stackName: 'file-sync-test',
    outputs,
    awsConfig: { region: 'us-east-1' },
    now: () => at + 1000,
  };
  const eventsOf = (input: object) => ({
    events: [{ timestamp: at, message: JSON.stringify(lines[Object(input).logGroupName]) }],
  });
  const clients = [
    [await cloudFormationClient(made), () => resources],
    [await dynamoDBClient(made), () => ({ Responses: {} })],
    [await cloudWatchLogsClient(made), eventsOf],
  ] as const;
  const place = { step: 'initialize' } as const;
  for (const [{ middlewareStack }, outputOf] of clients) {
    const respond = async ({ input }: { readonly input: object }) => {
      return { output: { ...outputOf(input), $metadata: {} }, response: {} };
    };
    middlewareStack.add(() => respond, place);
  }
  return made;
}

test('the timeline of its requests names what it returns', async () => {
  const { of } = await readRequestTimeline(deployment, request_id, {});
  expect(of).toMatchObject({ asked_for: 'the details of a file', rejection: 'not_found' });
});

test('its rejections are counted, each once', async () => {
  const range = { since: new Date(at - 1000), until: new Date(at + 1000) };
  const { entries } = await countRequests(deployment, 'rejections', range, {});
  expect(entries).toMatchObject([{ outcome: 'not_found', count: 1 }]);
});

test('the saved query for rejections reads its log', () => {
  expect(savedQueries['who-is-refused'].logs).toEqual(['access', 'token', 'volumes', 'sync', 'file-details']);
});
