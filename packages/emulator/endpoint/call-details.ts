import type { ClaimedSignature } from '../authentication/signature.ts';
import type { JsonTarget } from '../protocols/json-protocol.ts';
import { queryValue, type ReceivedRequest } from '../protocols/request.ts';
import { isJsonObject } from '../shared/json.ts';
import type { CallDetails } from './find-fault.ts';

interface CallClaim {
  readonly signature: ClaimedSignature | undefined;
  readonly target: JsonTarget | undefined;
  readonly readBody: () => Promise<{ readonly body: Buffer }>;
}

/** Reads which operation a request is for, and on which table. A part that it does not name is undefined. */
export async function readCallDetails(
  request: ReceivedRequest,
  { signature, target, readBody }: CallClaim,
): Promise<CallDetails> {
  if (target !== undefined) {
    return { operation: target.operation, table: tableIn(await readText(readBody)) };
  }
  if (signature?.service === 'sts') {
    const action = new URLSearchParams(await readText(readBody)).get('Action');
    return { operation: action ?? undefined, table: undefined };
  }
  return { operation: objectOperation(request), table: undefined };
}

/** A body that cannot be read is refused later, as it is without faults. */
async function readText(readBody: CallClaim['readBody']): Promise<string> {
  return readBody().then(
    ({ body }) => body.toString('utf8'),
    () => '',
  );
}

function tableIn(body: string): string | undefined {
  try {
    const input: unknown = JSON.parse(body);
    return isJsonObject(input) && typeof input.TableName === 'string' ? input.TableName : undefined;
  } catch {
    return undefined;
  }
}

/** Operations of S3 on one object, as IAM names them: HeadObject needs `s3:GetObject`. */
const verbs: Readonly<Record<string, string>> = { GET: 'Get', HEAD: 'Get', PUT: 'Put', DELETE: 'Delete' };

function objectOperation(request: ReceivedRequest): string | undefined {
  const verb = verbs[request.method];
  const subject = queryValue(request, 'tagging') === undefined ? 'Object' : 'ObjectTagging';
  return verb === undefined ? undefined : verb + subject;
}
