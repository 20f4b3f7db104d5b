import { Duration, SecretValue, Stack, type StackProps } from 'aws-cdk-lib';
import {
  ApiDestination,
  Authorization,
  Connection,
  EventBus,
  type IApiDestination,
  Rule,
} from 'aws-cdk-lib/aws-events';
import { ApiDestination as ApiDestinationTarget } from 'aws-cdk-lib/aws-events-targets';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';

export interface ApiDestinationStackProps extends StackProps {
  /** Output `EventBusName` of the file sync stack. */
  readonly eventBusName: string;
  /** Where EventBridge posts each event: your consumer. */
  readonly endpoint: string;
  /** Name of the secret in Secrets Manager whose text is the key that your consumer checks. */
  readonly keySecretName: string;
}

/** Posts the events of uploads to a consumer behind HTTPS, with a key in the header `x-api-key`. */
export class ApiDestinationStack extends Stack {
  constructor(scope: Construct, id: string, props: ApiDestinationStackProps) {
    const { eventBusName, endpoint, keySecretName, ...stackProps } = props;
    super(scope, id, stackProps);
    const key = SecretValue.secretsManager(keySecretName);
    const connection = new Connection(this, 'Connection', {
      authorization: Authorization.apiKey('x-api-key', key),
    });
    const consumer = new ApiDestination(this, 'Consumer', { connection, endpoint, rateLimitPerSecond: 50 });
    const deadLetterQueue = new Queue(this, 'DeadLetters', {
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
    });
    new Rule(this, 'Uploads', {
      description: 'Events of uploads, in the version of the schema that the consumer knows',
      eventBus: EventBus.fromEventBusName(this, 'Bus', eventBusName),
      eventPattern: { source: ['file-sync-api'], detail: { schema_version: [1] } },
      // The cast is for projects with exactOptionalPropertyTypes: the types of the CDK disagree about one member.
      targets: [new ApiDestinationTarget(consumer as IApiDestination, { deadLetterQueue })],
    });
  }
}
