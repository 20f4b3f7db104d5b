import { checkDeployment } from 'cloud-assembly-emulator';
import { readHttpApi } from 'cloud-assembly-emulator/api-gateway/http-api';
import { keyJobs } from './key-jobs.ts';
import { uploadJobs } from './upload-jobs.ts';
import { type Job, require } from './work.ts';

/** Jobs that require permissions before any function runs. */
export const jobsWithoutFunctions: Readonly<Record<string, Job>> = {
  'deploy the stack': async ({ stack, resources }) => {
    checkDeployment(resources, stack.authorize, stack.stack);
    readHttpApi(resources);
  },

  'hear of the status of the stack': async ({ stack, resources }) => {
    const arnOf = (id: string) =>
      resources.find(({ logicalId }) => logicalId.startsWith(id))?.attributes.Arn ?? '';
    const sourceArn = arnOf('ProtectionStackChanged');
    const { allowed } = stack.authorize({
      principal: { kind: 'service', service: 'events.amazonaws.com', sourceArn },
      action: 'lambda:InvokeFunction',
      resource: arnOf('ProtectionProtectFunction'),
    });
    require(allowed, 'EventBridge may not invoke the function');
  },
};

/** Jobs that require the policies of the stack. The shortest jobs come first. */
export const jobs: Readonly<Record<string, Job>> = { ...jobsWithoutFunctions, ...keyJobs, ...uploadJobs };
