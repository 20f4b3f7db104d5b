import type { Resource } from '../../shared/resource-type.ts';
import { startAws } from './aws-services.ts';

/**
 * The AWS endpoints in a process of their own, to be killed by a test: `STATE_DIRECTORY` and `RESOURCES` say
 * where and what. Prints its address and the operator's credentials as one line of JSON.
 */
const { STATE_DIRECTORY: stateDirectory = '', RESOURCES: resources = '[]' } = process.env;

const aws = await startAws({ stateDirectory, resources: JSON.parse(resources) as Resource[] });
process.stdout.write(`${JSON.stringify({ endpoint: aws.endpoint, credentials: aws.operatorCredentials })}\n`);
