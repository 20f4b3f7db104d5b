import type { Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { createApp } from '../../lib/file-sync-app.ts';

/** A resource in the template. */
export interface TemplateResource {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
  readonly DependsOn?: readonly string[];
  readonly DeletionPolicy?: string;
  readonly UpdateReplacePolicy?: string;
}

export interface TemplateDocument {
  readonly Resources: Readonly<Record<string, TemplateResource>>;
  readonly Outputs: Readonly<Record<string, { readonly Value: unknown }>>;
}

/** Context that skips bundling of the functions: these tests do not read their code. */
export const withoutBundling = { 'aws:cdk:bundling-stacks': [] };

interface Synthesized {
  readonly stack: Stack;
  readonly document: TemplateDocument;
}

/** Context of a dev stack with all resources that settings can add or change. */
export const everySetting = {
  stage: 'dev',
  tokenLifetimeSeconds: '600',
  signingAlgorithm: 'RS256',
  domainName: 'files.example.com',
  certificateArn: 'arn:aws:acm:eu-central-1:123456789012:certificate/11111111-2222',
  hostedZoneId: 'Z0123456789ABC',
  ipAddressType: 'dualstack',
  documentationUrl: 'https://docs.example.com/files',
  tokenRateLimit: '9',
  syncRateLimit: 8,
  supersededRetentionDays: '365',
  uploadRecordRetentionDays: '400',
  logRetentionDays: '365',
  signingKeyRotationDays: 7,
  monitoring: 'full',
  alarmEmail: 'alarms@example.com',
  alarmTopicArn: 'arn:aws:sns:eu-central-1:123456789012:alarms',
  runbooksUrl: 'https://wiki.example.com/runbooks',
  contentReaders: 'arn:aws:iam::111122223333:role/reader,arn:aws:iam::111122223333:role/team/other',
  v0DeprecatedAt: '2037-01-31T00:00:00Z',
  v0SunsetAt: '2038-01-31T02:00:00+02:00',
} as const;

/** Cached by context, since a synthesis takes longer than a test of its result. */
const known = new Map<string, Synthesized>();

/** Returns the stack as deployed with this context. Tests share it and must not change it. */
export function synthesized(context: Readonly<Record<string, unknown>> = {}): Synthesized {
  const key = JSON.stringify(context);
  const made = known.get(key) ?? synthesize(context);
  known.set(key, made);
  return made;
}

function synthesize(context: Readonly<Record<string, unknown>>): Synthesized {
  // CloudFormation's rules take seconds: only test/system/bundles checks them.
  const { stack } = createApp({
    context: { ...withoutBundling, ...context },
    builtinCloudFormationValidation: false,
  });
  return { stack, document: Template.fromStack(stack).toJSON() as TemplateDocument };
}

export function resourcesOf(document: TemplateDocument, type: string): readonly [string, TemplateResource][] {
  return Object.entries(document.Resources).filter(([, resource]) => resource.Type === type);
}

/** Returns the properties of every resource of a type, in a shape that the caller knows. */
export function propertiesOf<Shape>(document: TemplateDocument, type: string): readonly Shape[] {
  return resourcesOf(document, type).map(([, resource]) => resource.Properties as Shape);
}

interface Intrinsic {
  readonly Ref?: string;
  readonly 'Fn::GetAtt'?: readonly [string, string];
  readonly 'Fn::Join'?: readonly [string, readonly unknown[]];
}

/**
 * Returns a value with its references as readable text: `<UploadsTable.Arn>/index`. Hashes of logical ids are
 * omitted.
 */
export function readable(value: unknown): string {
  if (typeof value !== 'object' || value === null) {
    return String(value);
  }
  const { Ref, 'Fn::GetAtt': attribute, 'Fn::Join': join } = value as Intrinsic;
  if (Ref !== undefined) {
    return `<${withoutHash(Ref)}>`;
  }
  if (attribute !== undefined) {
    return `<${withoutHash(attribute[0])}.${attribute[1]}>`;
  }
  if (join !== undefined) {
    return join[1].map(readable).join(join[0]);
  }
  throw new Error(`Not readable: ${JSON.stringify(value)}`);
}

/** One or several values, like lists in IAM. */
export function listed<Value>(value: Value | readonly Value[]): readonly Value[] {
  return Array.isArray(value) ? value : [value as Value];
}

function withoutHash(logicalId: string): string {
  return logicalId.replace(/[0-9A-F]{8}$/, '');
}
