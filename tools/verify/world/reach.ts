import type { Answer, Question } from '../../../test/contract/support/http.ts';
import type { UploadUrl } from '../../../test/contract/support/upload-url.ts';
import type { Upload } from '../../operator/uploads.ts';

/** An upload URL that was issued for the file of this run. */
export interface Issued {
  readonly url: UploadUrl;
  readonly uploadId: string;
  readonly key: string;
}

/** What DescribeSecret says of the secret with the private keys. */
export interface SecretSeen {
  /** Staging labels of each version, by its id. */
  readonly labels: Readonly<Record<string, readonly string[]>>;
  readonly rotationEnabled: boolean;
  readonly nextRotation: Date | undefined;
}

/** What AWS refused a call with. */
export interface Refusal {
  readonly name: string;
  readonly message: string;
}

/** The published keys: their ids, and which of them signs. */
export interface PublishedKeys {
  readonly kids: readonly string[];
  /** Empty if none does. */
  readonly signing: string;
}

/** What an operator may do to the deployment, as far as probes need it. */
export interface Operator {
  readonly region: string;
  /** Content of an object of the bucket. */
  readonly content: (key: string) => Promise<Buffer>;
  /** CRC-64/NVME that S3 says of an object, in base64. Undefined if it says none. */
  readonly checksum: (key: string) => Promise<string | undefined>;
  /** The record of an upload, read consistently. */
  readonly upload: (uploadId: string) => Promise<Upload>;
  /** Tries to write to the record of an upload under a condition that is false. */
  readonly writeUnderFalseCondition: (uploadId: string) => Promise<Refusal | undefined>;
  /** Tries to read the private keys. What comes is thrown away unread. */
  readonly tryToReadPrivateKeys: () => Promise<Refusal | undefined>;
  readonly signingSecret: () => Promise<SecretSeen>;
  /** Begins a rotation. */
  readonly startRotation: () => Promise<string>;
  /**
   * Has the `signing-keys` function look at the rotation schedule. It sets the schedule, without rotating, if that is
   * lost or another one. Nobody else can: setting it needs the key of the secret.
   */
  readonly ensureSchedule: () => Promise<Refusal | undefined>;
  /**
   * Puts a label of this run on one version of the secret with the public keys, and tries to move it to another one
   * without saying where it is. Takes the label away again.
   */
  readonly moveLabelBlindly: () => Promise<Refusal | undefined>;
  /** Gives an event to the function that records uploads, as `upload replay` does. */
  readonly record: (event: unknown) => Promise<Refusal | undefined>;
  readonly publishedKeys: () => Promise<PublishedKeys>;
  /** Revokes a signing key, as `signing-key revoke` does. Resolves with the time from which the service refuses its tokens. */
  readonly revokeKey: (kid: string) => Promise<Date>;
  /** Cancels an upload, as `upload cancel` does. */
  readonly cancel: (uploadId: string) => Promise<void>;
  /** Status of the stack. Undefined for a local run, which has none. */
  readonly stackStatus: () => Promise<string | undefined>;
}

/** How the deployment is reached. */
export interface Reach {
  readonly baseUrl: string;
  readonly fileId: string;
  /** Sends one request as it stands. */
  readonly http: (origin: string, question: Question) => Promise<Answer>;
  readonly token: () => Promise<string>;
  readonly issue: () => Promise<Issued>;
  readonly operator: Operator;
  readonly sleep: (milliseconds: number) => Promise<unknown>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** Asks the API. The path is sent as it is, after the path of the base URL. */
export function ask({ http, baseUrl }: Pick<Reach, 'http' | 'baseUrl'>, question: Question): Promise<Answer> {
  const prefix = new URL(baseUrl).pathname.replace(/\/$/, '');
  return http(baseUrl, { ...question, path: `${prefix}${question.path}` });
}

/** Sends content, or another request, to an upload URL. */
export function sendTo(
  { http }: Pick<Reach, 'http'>,
  url: UploadUrl,
  question: Partial<Omit<Question, 'path'>> = {},
): Promise<Answer> {
  const method = question.method ?? 'PUT';
  const body = method === 'PUT' ? { body: 'content' } : {};
  return http(url.origin, { ...body, ...question, method, path: url.requestTarget() });
}

/** CRC-64/NVME in the answer to a PUT, in base64. */
export function checksumOf(headers: Answer['headers']): string | undefined {
  const checksum = headers['x-amz-checksum-crc64nvme'];
  return typeof checksum === 'string' ? checksum : undefined;
}

/** Status and error code: `412 PreconditionFailed`. */
export function shortly(answer: Pick<Answer, 'status' | 'text'>): string {
  const code = /<Code>(\w+)<\/Code>/.exec(answer.text)?.[1];
  return code === undefined ? String(answer.status) : `${answer.status} ${code}`;
}
