import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { makeCustomResources } from '../../cloudformation/custom-resources.ts';
import type { InvokeFunction } from '../../lambda/invoke.ts';
import type { Resource } from '../../shared/resource-type.ts';
import { functionArn, lambda, stack } from '../support/aws-services.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

interface Event {
  readonly RequestType: string;
  readonly ResponseURL: string;
}

function thing(properties: Readonly<Record<string, unknown>> = {}): Resource {
  return {
    logicalId: 'Thing',
    type: 'Custom::Thing',
    ref: 'thing',
    attributes: {},
    properties: { ServiceToken: functionArn('Maker'), ...properties },
  };
}

let directory: string;

beforeEach(async () => {
  directory = await temporaryFolder();
});

/** A function that returns the given responses, and records its requests. */
function answering(response: Record<string, unknown>): { events: Event[]; invoke: InvokeFunction } {
  const events: Event[] = [];
  const invoke: InvokeFunction = async (_, payload) => {
    const event = payload as Event;
    events.push(event);
    await fetch(event.ResponseURL, { method: 'PUT', body: JSON.stringify(response) });
    return { ok: true, payload: null };
  };
  return { events, invoke };
}

function make(resource: Resource, invoke: InvokeFunction): Promise<void> {
  return makeCustomResources({
    resources: [lambda('Maker'), resource],
    stack,
    invoke,
    stateFile: join(directory, 'made.json'),
    onStart: () => undefined,
  });
}

describe('custom resources (CloudFormation, "Custom resource request objects")', () => {
  it('are created once', async () => {
    const { events, invoke } = answering({ Status: 'SUCCESS', PhysicalResourceId: 'p1' });
    await make(thing({ Count: 1, On: true }), invoke);
    await make(thing({ Count: 1, On: true }), invoke);
    expect(events).toHaveLength(1);
    expect(events[0]).toMatchObject({
      RequestType: 'Create',
      StackId: 'arn:aws:cloudformation:us-east-1:000000000000:stack/test/local',
      LogicalResourceId: 'Thing',
      ResourceType: 'Custom::Thing',
      ResourceProperties: { ServiceToken: functionArn('Maker'), Count: '1', On: 'true' },
    });
  });

  it('are updated when their properties have changed', async () => {
    const { events, invoke } = answering({ Status: 'SUCCESS', PhysicalResourceId: 'p1' });
    await make(thing({ Version: 'one' }), invoke);
    await make(thing({ Version: 'two' }), invoke);
    expect(events[1]).toMatchObject({
      RequestType: 'Update',
      PhysicalResourceId: 'p1',
      OldResourceProperties: { Version: 'one' },
      ResourceProperties: { Version: 'two' },
    });
  });

  it.for<[string, InvokeFunction]>([
    ['no entropy', answering({ Status: 'FAILED', Reason: 'no entropy' }).invoke],
    ['its function gave no reason', answering({ Status: 'FAILED' }).invoke],
    ['Error: no', async () => ({ ok: false, error: { errorType: 'Error', errorMessage: 'no' } })],
  ])('stop the start with the reason of a failure: %s', async ([reason, failing]) => {
    await expect(make(thing(), failing)).rejects.toThrow(
      `Resource Thing (Custom::Thing) could not be made: ${reason}. The folder logs in the state folder has the log of its function.`,
    );
    const { events, invoke } = answering({ Status: 'SUCCESS' });
    await make(thing(), invoke);
    expect(events[0]?.RequestType).toBe('Create');
  });

  it('leave out what acts on deletion alone', async () => {
    const { events, invoke } = answering({ Status: 'SUCCESS' });
    await make({ ...thing(), type: 'Custom::S3AutoDeleteObjects' }, invoke);
    expect(events).toHaveLength(0);
  });
});
