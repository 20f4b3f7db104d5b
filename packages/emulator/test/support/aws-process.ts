import type { Resource } from '../../shared/resource-type.ts';
import { startAws } from './aws-services.ts';

/**
 * Runs the AWS endpoints in a separate process, which a test can kill: `STATE_DIRECTORY` is the state folder,
 * `RESOURCES` the resources. Prints its address and the operator's credentials as one line of JSON.
 */
const { STATE_DIRECTORY: stateDirectory = '', RESOURCES: resources = '[]' } = process.env;

const aws = await startAws({ stateDirectory, resources: JSON.parse(resources) as Resource[] });
process.stdout.write(`${JSON.stringify({ endpoint: aws.endpoint, credentials: aws.operatorCredentials })}\n`);
