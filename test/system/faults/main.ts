/**
 * The long form of the faults test: every service of AWS and every operation that functions use, with every fault, under
 * load. The short form is one of the system tests.
 *
 *     npm run test:system -- faults [--clients 8] [--rounds 3]
 */
import '../../support/quiet-sdk.ts';
import { parseArgs } from 'node:util';
import { faultKinds, faultyServices } from 'cloud-assembly-emulator/faults';
import { printResult } from '../print-result.ts';
import { runFaultsSoak } from './faults-soak.ts';

const { values } = parseArgs({
  options: { clients: { type: 'string', default: '8' }, rounds: { type: 'string', default: '3' } },
});

/** What functions call, one by one; of DynamoDB, each table's writes. */
const operations = [
  { service: 'dynamodb', operation: 'GetItem', table: 'ClientsTableName' },
  { service: 'dynamodb', operation: 'GetItem', table: 'FilesTableName' },
  { service: 'dynamodb', operation: 'GetItem', table: 'UploadsTableName' },
  { service: 'dynamodb', operation: 'PutItem' },
  { service: 'dynamodb', operation: 'UpdateItem', table: 'FilesTableName' },
  { service: 'dynamodb', operation: 'UpdateItem', table: 'UploadsTableName' },
  { service: 'secretsmanager', operation: 'GetSecretValue' },
  { service: 'secretsmanager', operation: 'PutSecretValue' },
  { service: 'secretsmanager', operation: 'UpdateSecretVersionStage' },
  { service: 's3', operation: 'HeadObject' },
  { service: 's3', operation: 'GetObjectTagging' },
  { service: 's3', operation: 'PutObject' },
] as const;

/** SQS is left out: AWS calls it for dead letters alone, and there are none while nothing else fails. */
const services = faultyServices.filter((service) => service !== 'sqs');

const { violations, met, ...counts } = await runFaultsSoak({
  cases: [...services.map((service) => ({ service })), ...operations].flatMap((calls) =>
    faultKinds.map((fault) => ({ ...calls, fault })),
  ),
  clients: Number(values.clients),
  rounds: Number(values.rounds),
  report: (line) => process.stdout.write(`${line}\n`),
});
printResult({ faults: met.length, ...counts }, [
  ...violations,
  ...(counts.mostAttempts > 3 ? [`${counts.mostAttempts} attempts at one call of AWS`] : []),
]);
