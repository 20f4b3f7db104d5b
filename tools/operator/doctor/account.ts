import { stsClient } from '../deployment/aws-clients.ts';
import { explainAwsError } from '../deployment/aws-errors.ts';
import type { AwsConfig } from '../deployment/deployment.ts';
import { messageOf } from '../errors.ts';
import { failed, notChecked, type Outcome, ok } from './finding.ts';

/** Something that was asked for: its value, or the error in its place. */
type Answered<Value> = { readonly value: Value } | { readonly error: unknown };

/** What STS says about whoever runs the command. */
export interface Identity {
  readonly region: Answered<string>;
  readonly caller: Answered<{ readonly arn: string; readonly account: string }>;
}

/** Asks STS who runs the command. Nobody can be denied this call (STS API reference, GetCallerIdentity). */
export async function identify(awsConfig: AwsConfig): Promise<Identity> {
  const { GetCallerIdentityCommand } = await import('@aws-sdk/client-sts');
  const sts = await stsClient({ awsConfig });
  const region = await answered(sts.config.region());
  const caller = await answered(
    sts
      .send(new GetCallerIdentityCommand({}))
      .then(({ Arn = 'unknown', Account = 'unknown' }) => ({ arn: Arn, account: Account })),
  );
  sts.destroy();
  return { region, caller };
}

async function answered<Value>(answer: Promise<Value>): Promise<Answered<Value>> {
  try {
    return { value: await answer };
  } catch (error) {
    return { error };
  }
}

export function checkRegion({ region }: Identity): Outcome {
  return 'value' in region ? ok(region.value) : failed(explained(region.error));
}

export function checkCredentials({ caller, region }: Identity): Outcome {
  if ('value' in caller) {
    return ok(`${caller.value.arn} in account ${caller.value.account}`);
  }
  return 'error' in region ? notChecked('This needs a region.') : failed(explained(caller.error));
}

function explained(error: unknown): string {
  return messageOf(explainAwsError(error));
}
