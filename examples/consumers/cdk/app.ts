import { App } from 'aws-cdk-lib';
import { ConsumerStack } from './consumer-stack.ts';

// npx cdk deploy --app 'npx tsx app.ts' --context eventBusName=file-sync-prod-uploads
const app = new App();
const eventBusName: unknown = app.node.tryGetContext('eventBusName');
if (typeof eventBusName !== 'string') {
  throw new Error('Give the output EventBusName of the file sync stack: --context eventBusName=...');
}
new ConsumerStack(app, 'upload-consumer', { eventBusName });
