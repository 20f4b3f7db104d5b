import { App } from 'aws-cdk-lib';
import { ConsumerStack } from './consumer-stack.ts';

// npx cdk deploy --app 'npx tsx app.ts' --context eventBusName=file-sync-prod-uploads --context bucketName=...
const app = new App();
const { eventBusName, bucketName }: Readonly<Record<string, unknown>> = app.node.getAllContext();
if (typeof eventBusName !== 'string' || typeof bucketName !== 'string') {
  throw new Error(
    'Give the outputs EventBusName and BucketName of the file sync stack: --context eventBusName=... --context bucketName=...',
  );
}
new ConsumerStack(app, 'upload-consumer', { eventBusName, bucketName });
