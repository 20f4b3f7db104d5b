import { Aws, Fn } from 'aws-cdk-lib';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { CfnRegistry, CfnSchema } from 'aws-cdk-lib/aws-eventschemas';
import type { IGrantable } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import cancelled from '../contract/events/upload-cancelled.openapi.json' with { type: 'json' };
import completed from '../contract/events/upload-completed.openapi.json' with { type: 'json' };
import expired from '../contract/events/upload-expired.openapi.json' with { type: 'json' };
import { eventSource, type UploadEventKind, uploadEventTypes } from '../contract/upload-events.ts';
import { allow } from './allow.ts';
import type { Configuration } from './configuration.ts';

/** What the registry holds: the only form of schemas that EventBridge makes code bindings of. */
const schemas: Readonly<Record<UploadEventKind, object>> = { completed, cancelled, expired };

/**
 * The bus on which the service says what became of each upload, and the schemas of its events (docs/events.md). Rules on
 * it belong to whoever uses the uploads, in stacks of their own.
 */
export class UploadEvents extends Construct {
  readonly eventBusName: string;
  private readonly eventBusArn: string;

  constructor(scope: Construct, id: string, { eventSchemas }: Pick<Configuration, 'eventSchemas'>) {
    super(scope, id);
    const bus = new EventBus(this, 'Bus', {
      // A bus needs a name. The name of the stack is as unique as the bus has to be.
      eventBusName: Fn.join('-', [Aws.STACK_NAME, 'uploads']),
      description: 'What became of each upload of the file sync API',
    });
    this.eventBusName = bus.eventBusName;
    this.eventBusArn = bus.eventBusArn;
    if (eventSchemas === 'registry') {
      this.publishSchemas();
    }
  }

  /** Allows sending events of this service, and none that claim another source. */
  grantAnnounce(grantee: IGrantable): void {
    allow(grantee, {
      actions: ['events:PutEvents'],
      resources: [this.eventBusArn],
      conditions: { StringEquals: { 'events:source': eventSource } },
    });
  }

  private publishSchemas(): void {
    const registry = new CfnRegistry(this, 'Schemas', {
      description: 'Events of uploads of the file sync API',
    });
    for (const kind of Object.keys(uploadEventTypes) as UploadEventKind[]) {
      const type = uploadEventTypes[kind];
      const name = type.replace(' ', '');
      new CfnSchema(this, `${name}Schema`, {
        registryName: registry.attrRegistryName,
        // The form of the names that EventBridge itself gives (User Guide, "Amazon EventBridge schemas").
        schemaName: `${eventSource}@${name}`,
        description: `Event: ${type}`,
        type: 'OpenApi3',
        content: JSON.stringify(schemas[kind]),
      });
    }
  }
}
