import { Aws, Fn, Lazy } from 'aws-cdk-lib';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { Effect, type IRole, PolicyStatement, StarPrincipal } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { eventSource } from '../contract/upload-events.ts';
import { allow } from './allow.ts';

/**
 * The bus for the events about the outcome of each upload (docs/events.md). Consumers define rules on it in
 * stacks of their own.
 */
export class UploadEvents extends Construct {
  readonly eventBusName: string;
  private readonly eventBusArn: string;
  /** The only roles that may send events. */
  private readonly announcers: IRole[] = [];

  constructor(scope: Construct, id: string) {
    super(scope, id);
    const bus = new EventBus(this, 'Bus', {
      // A bus requires a name. The name of the stack is unique.
      eventBusName: Fn.join('-', [Aws.STACK_NAME, 'uploads']),
      description: 'What became of each upload of the file sync API',
    });
    this.eventBusName = bus.eventBusName;
    this.eventBusArn = bus.eventBusArn;
    // A role of the same account needs no permission from the bus, so only a deny statement blocks it. The
    // condition also matches a request without the key, so services are denied too.
    bus.addToResourcePolicy(
      new PolicyStatement({
        sid: 'OnlyTheServiceAnnounces',
        effect: Effect.DENY,
        principals: [new StarPrincipal()],
        actions: ['events:PutEvents'],
        resources: [bus.eventBusArn],
        conditions: {
          ArnNotEquals: {
            'aws:PrincipalArn': Lazy.list({ produce: () => this.announcers.map(({ roleArn }) => roleArn) }),
          },
        },
      }),
    );
  }

  /** Allows sending events with this service as their source, and no other events. */
  grantAnnounce(role: IRole): void {
    this.announcers.push(role);
    allow(role, ['events:PutEvents'], this.eventBusArn, {
      StringEquals: { 'events:source': eventSource },
    });
  }
}
