import { join } from 'node:path';
import { createCustomResources } from '../../cloudformation/custom-resources.ts';
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
function responding(response: Record<string, unknown>): { events: Event[]; invoke: InvokeFunction } {
  const events: Event[] = [];
  const invoke: InvokeFunction = async (_, payload) => {
    const event = payload as Event;
    events.push(event);
    await fetch(event.ResponseURL, { method: 'PUT', body: JSON.stringify(response) });
    return { ok: true, payload: null };
  };
  return { events, invoke };
}

function create(resource: Resource, invoke: InvokeFunction): Promise<void> {
  return createCustomResources({
    resources: [lambda('Maker'), resource],
    stack,
    invoke,
    stateFile: join(directory, 'created.json'),
    onStart: () => undefined,
  });
}

describe('custom resources (CloudFormation, "Custom resource request objects")', () => {
  it('are created once', async () => {
    const { events, invoke } = responding({ Status: 'SUCCESS', PhysicalResourceId: 'p1' });
    await create(thing({ Count: 1, On: true }), invoke);
    await create(thing({ Count: 1, On: true }), invoke);
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
    const { events, invoke } = responding({ Status: 'SUCCESS', PhysicalResourceId: 'p1' });
    await create(thing({ Version: 'one' }), invoke);
    await create(thing({ Version: 'two' }), invoke);
    expect(events[1]).toMatchObject({
      RequestType: 'Update',
      PhysicalResourceId: 'p1',
      OldResourceProperties: { Version: 'one' },
      ResourceProperties: { Version: 'two' },
    });
  });

  it.for<[string, InvokeFunction]>([
    ['no entropy', responding({ Status: 'FAILED', Reason: 'no entropy' }).invoke],
    ['its function returned no reason', responding({ Status: 'FAILED' }).invoke],
    ['Error: no', async () => ({ ok: false, error: { errorType: 'Error', errorMessage: 'no' } })],
  ])('stop the start if their function fails: %s', async ([reason, failing]) => {
    await expect(create(thing(), failing)).rejects.toThrow(
      `Resource Thing (Custom::Thing) could not be created: ${reason}. The log of its function is in the folder logs of the state folder.`,
    );
    const { events, invoke } = responding({ Status: 'SUCCESS' });
    await create(thing(), invoke);
    expect(events[0]?.RequestType).toBe('Create');
  });

  it('are skipped if they act only on deletion', async () => {
    const { events, invoke } = responding({ Status: 'SUCCESS' });
    await create({ ...thing(), type: 'Custom::S3AutoDeleteObjects' }, invoke);
    expect(events).toHaveLength(0);
  });
});
